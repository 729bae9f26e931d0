import { type ResolvedConfig, schemeOf } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import { checkSession } from './read-session.ts'

/** `GET session` */
export async function answerSession(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const scheme = schemeOf(config, request.origin)
  const { session, cookies } = await checkSession(
    config,
    scheme,
    request.headers.get('cookie'),
    true,
  )
  return json(session, 200, cookies)
}

/** Says that it is not known who is signed in. */
export const unknownSession: Outgoing = json(
  { message: 'The session could not be read. Check the server logs.' },
  503,
)
