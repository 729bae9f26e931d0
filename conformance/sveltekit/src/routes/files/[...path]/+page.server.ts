import { auth } from '../../../auth'
import { probe } from '../../../probe'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async event => {
  if (!probe.isInFront) await auth.requireSession(event)
  return { text: probe.ran() }
}
