'use client'

import { createSessionsClient, type SessionsClient } from '@siteauth/react/sessions'
import { nextBasePath } from './lib/config/next-base-path.ts'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  type AuthClientOptions,
  type ClientSessionCalls,
  createSessionsClient,
  type EndpointsOptions,
  type ListedSession,
  type SessionListState,
  type SessionsClient,
  type UseSessions,
} from '@siteauth/react/sessions'

const client: SessionsClient = /* @__PURE__ */ createSessionsClient({
  // Below the `basePath` of Next, unless a provider says otherwise.
  basePath: `${/* @__PURE__ */ nextBasePath()}/api/auth`,
  followsProvider: true,
})

/** The sessions of whoever is signed in, and functions that end them. See `@siteauth/react/sessions`. */
export const useSessions: SessionsClient['useSessions'] = client.useSessions
/** The visitor's sessions: `list`, `end` and `endOthers`. */
export const sessions: SessionsClient['sessions'] = client.sessions
