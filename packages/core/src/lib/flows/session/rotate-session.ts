import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { changeSignal } from '../../http/fixed-cookies.ts'
import { json, type OutgoingJson } from '../../http/response.ts'
import { rotateReceivedSession } from '../../principal/change-session.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'

/** Gives the session of this browser a new token. */
export async function rotateSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<OutgoingJson> {
  const { session, cookies, failure } = await rotateReceivedSession(config, request)
  if (cookies.length === 0) return json(session)
  const marker = changeSignal(request.cookieOptions.sessionToken, config.ports.randomHex)
  // The old token may end in a moment, or never. It is not reported as ended, and the user stays signed in.
  if (failure) throw new Failure(failure, [...cookies, marker])
  return json(session, 200, [...cookies, marker])
}
