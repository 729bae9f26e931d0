import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { json, type Outgoing } from '../http/outgoing.ts'
import { markChange } from '../http/store-session.ts'
import { asSessionError } from '../steps/session-fault.ts'
import { findOwnSession } from '../steps/settle-session.ts'
import { present } from './read-session.ts'

/** `POST session`: hands what the visitor sent to the application's callbacks. */
export async function updateSession(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const site = siteOf(config, request.origin)
  const header = request.headers.get('cookie')
  const arrived = await findOwnSession(site.sessions, header, site.cookies.sessionToken.name)
  if (!arrived) return json(null)
  try {
    const active = await site.sessions.update(arrived.token, request.body['data'])
    const { session, cookies } = await present(config, site, arrived, active)
    const marker = markChange(site.cookies.sessionToken, config.ports.randomHex)
    return json(session, 200, [...cookies, marker])
  } catch (error) {
    throw asSessionError(config, error)
  }
}
