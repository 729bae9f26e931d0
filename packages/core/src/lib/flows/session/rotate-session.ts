import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type JsonAnswer, json } from '../../http/response.ts'
import { markChange } from '../../http/write-session-cookie.ts'
import { rotateReceivedSession } from '../../principal/change-session.ts'
import type { Incoming } from '../request/incoming.ts'

/** Gives the session of this browser a new token. */
export async function rotateSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<JsonAnswer> {
  const { session, cookies } = await rotateReceivedSession(config, request)
  if (cookies.length === 0) return json(session)
  const marker = markChange(request.cookieOptions.sessionToken, config.ports.randomHex)
  return json(session, 200, [...cookies, marker])
}
