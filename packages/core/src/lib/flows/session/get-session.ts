import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { json, type Outgoing } from '../../http/response.ts'
import { checkReceivedSession } from '../../principal/check-received-session.ts'
import type { Incoming } from '../request/incoming.ts'

/** `GET session` */
export async function sessionEndpoint(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  const { session, cookies } = await checkReceivedSession(config, request)
  return json(session, 200, cookies)
}

/** Says that it is not known who is signed in. */
export const unknownSession: Outgoing = json(
  { message: 'The session could not be read. Check the server logs.' },
  503,
)
