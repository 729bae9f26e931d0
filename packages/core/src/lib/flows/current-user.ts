import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import type { Incoming } from '../http/incoming.ts'
import { findSession } from '../http/session-cookie.ts'

/** The id of the user who is signed in in this browser, or null. */
export async function currentUserId(
  config: ResolvedConfig,
  request: Incoming,
): Promise<string | null> {
  const { cookies, sessions } = siteOf(config, request.origin)
  const arrived = findSession(request.headers.get('cookie'), cookies.sessionToken.name)
  return arrived ? sessions.userIdOf(arrived.token) : null
}
