'use client'

import { type AuthClient, createAuthClient, type SessionProviderProps } from '@siteauth/react'
import { createElement, type ReactElement } from 'react'
import { nextBasePath } from './lib/config/next-base-path.ts'
import { useRefresh } from './lib/use-refresh.ts'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  type AuthClient,
  type AuthClientOptions,
  type ClientSafeProvider,
  type ClientSafeProviders,
  createAuthClient,
  type DefaultSession,
  type Destination,
  type EndpointsOptions,
  type GetSessionParams,
  type LastOutcome,
  type RequestSource,
  type Session,
  SessionContext,
  type SessionContextValue,
  type SessionControls,
  type SessionLoading,
  type SessionProviderProps,
  type SignedIn,
  type SignedOut,
  type SignIn,
  type SignInAuthorizationParams,
  type SignInForm,
  type SignInOptions,
  type SignInProvider,
  type SignInResponse,
  type SignOut,
  type SignOutParams,
  type SignOutResponse,
  type StoreOptions,
  type SubmitResult,
  type UpdateSession,
  type User,
  type UseSessionOptions,
  type UseSignIn,
  useSession,
} from '@siteauth/react'

// The endpoints are below the `basePath` of Next, unless a provider says otherwise.
const client: AuthClient = /* @__PURE__ */ createAuthClient({
  basePath: `${/* @__PURE__ */ nextBasePath()}/api/auth`,
  followsProvider: true,
})

/**
 * Tells the components inside it who is signed in. See `@siteauth/react`. When that changes, the
 * App Router renders the page again on the server, unless you set `onSessionChange`.
 *
 * @example
 * ```ts
 * import { SessionProvider } from '@siteauth/next/react'
 * import { createElement, type ReactElement, type ReactNode } from 'react'
 *
 * export function Providers({ children }: { children: ReactNode }): ReactElement {
 *   return createElement(SessionProvider, null, children)
 * }
 * ```
 */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const refresh = useRefresh()
  const { onSessionChange = refresh } = props
  return createElement(client.SessionProvider, { ...props, onSessionChange })
}
/** Asks the server who is signed in; null if no one is. Rejects if that is unknown. */
export const getSession: AuthClient['getSession'] = client.getSession
/** The token your own forms need in a `csrfToken` field. */
export const getCsrfToken: AuthClient['getCsrfToken'] = client.getCsrfToken
/** The available providers, by id; null if the server does not say. */
export const getProviders: AuthClient['getProviders'] = client.getProviders
/** Signs in. With `redirect: false`, the page stays and the outcome is a value. */
export const signIn: AuthClient['signIn'] = client.signIn
/** A `signIn` that leaves the page alone, with what became of the last attempt. See `@siteauth/react`. */
export const useSignIn: AuthClient['useSignIn'] = client.useSignIn
/** Signs out, in all tabs. */
export const signOut: AuthClient['signOut'] = client.signOut
