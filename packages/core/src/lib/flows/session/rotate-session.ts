import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type JsonAnswer, json } from '../../http/response.ts'
import { markChange, storeSession } from '../../http/write-session-cookie.ts'
import { finishSessionCheck } from '../../principal/check-session.ts'
import { asSessionError } from '../../principal/session-error.ts'
import type { Incoming } from '../request/incoming.ts'

/** Gives the session of this browser a new token. The old one ends in a moment, wherever it is. */
export async function rotateSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<JsonAnswer> {
  const { sessions } = request
  const { sessionToken } = request.cookieOptions
  const arrived = await request.arrivedSession()
  try {
    if (!arrived) return json(null)
    // First: a callback that fails must not cost anybody the session.
    const active = await sessions.read(arrived.token, { canRenew: false })
    const { session } = await finishSessionCheck(config, request, arrived, active)
    const issued = session && (await sessions.rotate(arrived.token))
    if (!issued) {
      // Another request of this browser has rotated it a moment ago, and brings the cookie; or it has ended.
      const isStill = await sessions.read(arrived.token, { canRenew: false })
      return json(isStill ? session : null)
    }
    return json({ ...session, expires: issued.expires.toISOString() }, 200, [
      ...storeSession(sessionToken, issued, arrived.names),
      markChange(sessionToken, config.ports.randomHex),
    ])
  } catch (error) {
    throw asSessionError(config, error)
  }
}
