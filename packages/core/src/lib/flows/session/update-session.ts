import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type JsonAnswer, json } from '../../http/response.ts'
import { markChange } from '../../http/write-session-cookie.ts'
import { finishSessionCheck } from '../../principal/check-session.ts'
import { asSessionError } from '../../principal/session-error.ts'
import type { Incoming } from '../request/incoming.ts'

/** `POST session`: hands what the visitor sent to the application's callbacks. */
export async function updateSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<JsonAnswer> {
  const arrived = await request.arrivedSession()
  if (!arrived) return json(null)
  try {
    const active = await request.sessions.update(arrived.token, request.body['data'])
    const { session, cookies } = await finishSessionCheck(config, request, arrived, active)
    const marker = markChange(request.cookieOptions.sessionToken, config.ports.randomHex)
    return json(session, 200, [...cookies, marker])
  } catch (error) {
    throw asSessionError(config, error)
  }
}
