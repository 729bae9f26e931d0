import { auth } from '../../auth'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async event => ({ session: await auth.requireSession(event) })
