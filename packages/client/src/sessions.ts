import { type AuthClientOptions, endpointsOfPage, findEndpointsBy } from './lib/endpoints.ts'
import { type SessionCalls, sessionsAt } from './lib/own-sessions.ts'

export type { ListedSession } from '@siteauth/core/types'
export type { AuthClientOptions, EndpointsOptions } from './lib/endpoints.ts'
export type { SessionCalls } from './lib/own-sessions.ts'

const client: SessionCalls = /* @__PURE__ */ sessionsAt(endpointsOfPage)

/**
 * The sessions of whoever is signed in, the latest seen first; empty where nobody is. Rejects where no proper
 * answer comes, as where sessions are not kept: see `session.track`.
 *
 * @example
 * ```ts
 * import { listSessions } from '@siteauth/client/sessions'
 *
 * const others = (await listSessions()).filter(({ isCurrent }) => !isCurrent)
 * ```
 */
export const listSessions: SessionCalls['listSessions'] = client.listSessions

/** Ends one of them by its handle. Resolves with whether it was there. */
export const endSession: SessionCalls['endSession'] = client.endSession

/** Ends all but this one. Resolves with whether anybody is signed in. */
export const endOtherSessions: SessionCalls['endOtherSessions'] = client.endOtherSessions

/**
 * Makes these functions for endpoints that are not at `/api/auth`. Only needed on pages without a session store, which
 * says where they are.
 *
 * @example
 * ```ts
 * import { createSessionsClient } from '@siteauth/client/sessions'
 *
 * export const { listSessions } = createSessionsClient({ basePath: '/auth' })
 * ```
 */
export function createSessionsClient(options: AuthClientOptions): SessionCalls {
  return sessionsAt(findEndpointsBy(options))
}
