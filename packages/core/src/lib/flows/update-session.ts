import { type ResolvedConfig, schemeOf } from '../config/resolved.ts'
import { markChange } from '../http/change-marker.ts'
import type { Incoming } from '../http/incoming.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import { asSessionError } from '../steps/session-fault.ts'
import { findOwnSession } from '../steps/settle-session.ts'
import { present } from './read-session.ts'

/** `POST session`: hands what the visitor sent to the application's callbacks. */
export async function updateSession(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const scheme = schemeOf(config, request.origin)
  const header = request.headers.get('cookie')
  const arrived = await findOwnSession(scheme.sessions, header, scheme.cookies.sessionToken.name)
  if (!arrived) return json(null)
  try {
    const active = await scheme.sessions.update(arrived.token, request.body['data'])
    const { session, cookies } = await present(config, scheme, arrived, active)
    const marker = markChange(scheme.cookies.sessionToken, config.ports.randomHex)
    return json(session, 200, [...cookies, marker])
  } catch (error) {
    throw asSessionError(config, error)
  }
}
