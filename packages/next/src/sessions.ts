'use client'

import { createSessionsClient, type SessionsClient } from '@siteauth/react/sessions'
import { nextBasePath } from './lib/config/next-base-path.ts'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  type AuthClientOptions,
  createSessionsClient,
  type EndpointsOptions,
  type ListedSession,
  type SessionCalls,
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
/** The sessions of whoever is signed in. Rejects where they are not known. */
export const listSessions: SessionsClient['listSessions'] = client.listSessions
/** Ends one of them by its handle. Resolves with whether it was there. */
export const endSession: SessionsClient['endSession'] = client.endSession
/** Ends all but this one. */
export const endOtherSessions: SessionsClient['endOtherSessions'] = client.endOtherSessions
