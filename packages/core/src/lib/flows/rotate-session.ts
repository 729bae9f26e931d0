import type { ResolvedConfig } from '../config/resolved.ts'
import { type JsonAnswer, json } from '../http/outgoing.ts'
import { markChange, storeSession } from '../http/store-session.ts'
import type { Incoming } from '../steps/incoming.ts'
import { asSessionError } from '../steps/session-fault.ts'
import { present } from './read-session.ts'

/** Gives the session of this browser a new token. The old one ends in a moment, wherever it is. */
export async function rotateSession(
  config: ResolvedConfig,
  request: Incoming,
): Promise<JsonAnswer> {
  const { sessions } = request
  const { sessionToken } = request.cookieOptions
  const arrived = await request.arrivedSession()
  try {
    const issued = arrived && (await sessions.rotate(arrived.token))
    if (!issued) return json(null)
    const active = await sessions.read(issued.token, { canRenew: false })
    const { session } = await present(config, request, { ...arrived, ...issued }, active)
    return json(session, 200, [
      ...storeSession(sessionToken, issued, arrived.names),
      markChange(sessionToken, config.ports.randomHex),
    ])
  } catch (error) {
    throw asSessionError(config, error)
  }
}
