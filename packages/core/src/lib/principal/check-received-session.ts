import type { Awaitable } from '../base/awaitable.ts'
import type { SessionConfig } from '../config/resolved-config.ts'
import type { CheckedSession } from './apply-session-cookie.ts'
import { checkSession } from './check-session.ts'
import type { WithCredentials } from './credentials-state.ts'
import { stateOf } from './credentials-state.ts'

/** Reads the session of a request to an endpoint, and renews it if that is due. */
export function checkReceivedSession(
  config: SessionConfig,
  request: WithCredentials,
): Awaitable<CheckedSession> {
  const { sessions, cookie, header } = stateOf(request)
  const scheme = { cookieOptions: { sessionToken: cookie }, sessions }
  return checkSession(config, scheme, header, { canRenew: true })
}
