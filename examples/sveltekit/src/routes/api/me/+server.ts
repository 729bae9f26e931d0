import { json } from '@sveltejs/kit'
import { requireSession } from '../../../auth'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async event => json((await requireSession(event)).user)
