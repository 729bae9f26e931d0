import { text } from '@sveltejs/kit'
import { auth } from '../../../auth'
import { probe } from '../../../probe'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async event => {
  if (!probe.isInFront) await auth.requireSession(event)
  return text(probe.ran())
}
