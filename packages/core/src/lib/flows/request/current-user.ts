import type { AdapterUser } from '../../base/model.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Incoming } from './incoming.ts'

/**
 * The user who is signed in in this browser, if there is a store and it knows one. Null if sessions of two users came: a
 * sibling host can plant one, and accounts of the browser's owner would be added to the user of an attacker.
 */
export async function currentUser(
  config: ResolvedConfig,
  request: Incoming,
): Promise<AdapterUser | null> {
  if (!config.adapter?.getUser) return null
  const arrived = await request.arrivedSession()
  if (arrived?.isContested) return null
  // This decides who accounts and passkeys are added to: no one who was locked out may get back in
  // through them.
  const id = arrived ? await request.sessions.userIdOf(arrived.token, { asksStore: true }) : null
  return id === null ? null : config.adapter.getUser(id)
}
