'use client'

import {
  type AuthClientOptions,
  endpointsOfPage,
  findEndpointsBy,
} from '@siteauth/client/integration'
import { createSessions, type SessionsClient } from './lib/sessions-client.ts'

export type {
  AuthClientOptions,
  ClientSessionCalls,
  EndpointsOptions,
} from '@siteauth/client/sessions'
export type { ListedSession } from '@siteauth/core/types'
export type { SessionsClient } from './lib/sessions-client.ts'
export type { SessionListState, UseSessions } from './lib/use-sessions.ts'

const client: SessionsClient = /* @__PURE__ */ createSessions(endpointsOfPage)

/**
 * The sessions of whoever is signed in, and functions that end them. When this tab's own is ended, providers
 * on the page know that nobody is signed in.
 *
 * @example
 * ```tsx
 * import { useSessions } from '@siteauth/react/sessions'
 *
 * export function Devices() {
 *   const { data = [], end, endOthers } = useSessions()
 *   return (
 *     <ul>
 *       {data.map(({ handle, browser, system, isCurrent }) => (
 *         <li key={handle}>
 *           {browser} on {system} {isCurrent ? '(this one)' : null}
 *           <button onClick={() => end(handle)}>Sign out</button>
 *         </li>
 *       ))}
 *       <button onClick={endOthers}>Sign out everywhere else</button>
 *     </ul>
 *   )
 * }
 * ```
 */
export const useSessions: SessionsClient['useSessions'] = client.useSessions

/**
 * The visitor's sessions: `list`, `end` and `endOthers`. They reject if there is no proper response, as if sessions are not
 * tracked: see `session.track`.
 *
 * @example
 * ```ts
 * import { sessions } from '@siteauth/react/sessions'
 *
 * const others = (await sessions.list()).filter(({ isCurrent }) => !isCurrent)
 * ```
 */
export const sessions: SessionsClient['sessions'] = client.sessions

/**
 * Makes these functions for endpoints that are not at `/api/auth`. Only needed on pages without a
 * `SessionProvider`, which says where they are.
 *
 * @example
 * ```ts
 * import { createSessionsClient } from '@siteauth/react/sessions'
 *
 * export const { useSessions } = createSessionsClient({ basePath: '/auth' })
 * ```
 */
export function createSessionsClient(options: AuthClientOptions): SessionsClient {
  return createSessions(findEndpointsBy(options))
}
