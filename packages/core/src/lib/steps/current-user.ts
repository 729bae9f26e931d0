import type { AdapterUser } from '../base/model.ts'
import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { findOwnSession } from './settle-session.ts'

/** The user who is signed in in this browser, if there is a store and it knows one. */
export async function currentUser(
  config: ResolvedConfig,
  request: Incoming,
): Promise<AdapterUser | null> {
  if (!config.adapter?.getUser) return null
  const { cookies, sessions } = siteOf(config, request.origin)
  const header = request.headers.get('cookie')
  const arrived = await findOwnSession(sessions, header, cookies.sessionToken.name)
  // Accounts and passkeys are added by this: whoever was put out must not get back in by them.
  const id = arrived ? await sessions.userIdOf(arrived.token, { asksStore: true }) : null
  return id === null ? null : config.adapter.getUser(id)
}
