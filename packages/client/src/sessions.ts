import type { ClientSessionCalls } from '@siteauth/core/integration'
import { type AuthClientOptions, endpointsOfPage, findEndpointsBy } from './lib/endpoints.ts'
import { sessionsAt } from './lib/sessions-at.ts'

export type { ClientSessionCalls } from '@siteauth/core/integration'
export type { ListedSession } from '@siteauth/core/types'
export type { AuthClientOptions, EndpointsOptions } from './lib/endpoints.ts'

/** The calls about sessions, for one set of endpoints. */
export interface SessionsClient {
  readonly sessions: ClientSessionCalls
}

/**
 * The visitor's sessions: `list`, `end` and `endOthers`. They reject if there is no proper response, as if sessions are not
 * tracked: see `session.track`.
 *
 * @example
 * ```ts
 * import { sessions } from '@siteauth/client/sessions'
 *
 * const others = (await sessions.list()).filter(({ isCurrent }) => !isCurrent)
 * ```
 */
export const sessions: ClientSessionCalls = /* @__PURE__ */ sessionsAt(endpointsOfPage)

/**
 * Creates `sessions` for endpoints that are not at `/api/auth`. Only needed on pages without a session store; otherwise
 * they use its endpoints.
 *
 * @example
 * ```ts
 * import { createSessionsClient } from '@siteauth/client/sessions'
 *
 * export const { sessions } = createSessionsClient({ basePath: '/auth' })
 * ```
 */
export function createSessionsClient(options: AuthClientOptions): SessionsClient {
  return { sessions: sessionsAt(findEndpointsBy(options)) }
}
