import type { Session } from '@siteauth/core/types'
import { endpointsOfPage } from './lib/endpoints.ts'
import {
  type ClientSafeProviders,
  type GetSessionParams,
  readCsrfToken,
  readProviders,
  readSession,
} from './lib/read.ts'
import { onBehalfOf, type RequestSource } from './lib/request.ts'
import { createSignIn, type SignIn } from './lib/sign-in.ts'
import { createSignOut, type SignOut } from './lib/sign-out.ts'

export type { DefaultSession, Session, User } from '@siteauth/core/types'
export { type AuthClient, createAuthClient } from './lib/auth-client.ts'
export type { AuthClientOptions, EndpointsOptions } from './lib/endpoints.ts'
export type { ClientSafeProvider, ClientSafeProviders, GetSessionParams } from './lib/read.ts'
export type { RequestSource } from './lib/request.ts'
export type {
  SignIn,
  SignInAuthorizationParams,
  SignInOptions,
  SignInProvider,
  SignInResponse,
} from './lib/sign-in.ts'
export type { SignOut, SignOutParams, SignOutResponse } from './lib/sign-out.ts'
export {
  createSessionStore,
  type Page,
  type SessionStore,
  type SessionStoreOptions,
  type StoreOptions,
} from './lib/store/session-store.ts'
export type {
  SessionContextValue,
  SessionControls,
  SessionLoading,
  SignedIn,
  SignedOut,
  UpdateSession,
} from './lib/store/session-value.ts'
export type { Destination, SubmitResult } from './lib/submit.ts'

/**
 * Asks the server who is signed in; null if no one is. Stores on the page learn the answer too.
 * Rejects if there is no proper response: then it is unknown.
 *
 * @example
 * ```ts
 * import { getSession } from '@siteauth/client'
 *
 * const session = await getSession()
 * console.log(session?.user?.name ?? 'a stranger')
 * ```
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return readSession(endpointsOfPage(), params)
}

/**
 * The token your own forms need in a `csrfToken` field. Empty if the application does not use one.
 *
 * @example
 * ```ts
 * import { getCsrfToken } from '@siteauth/client'
 *
 * const body = new URLSearchParams({ csrfToken: await getCsrfToken() })
 * await fetch('/api/auth/signout', { method: 'POST', body })
 * ```
 */
export function getCsrfToken(source?: RequestSource): Promise<string> {
  return readCsrfToken(endpointsOfPage(), onBehalfOf(source))
}

/**
 * The available providers, by id; null if the server does not say.
 *
 * @example
 * ```ts
 * import { getProviders } from '@siteauth/client'
 *
 * const names = Object.values((await getProviders()) ?? {}).map(provider => provider.name)
 * ```
 */
export function getProviders(): Promise<ClientSafeProviders | null> {
  return readProviders(endpointsOfPage())
}

/**
 * Signs in. Leaves the page for the provider, or for where the visitor wanted to go. With
 * `redirect: false`, the page stays and the outcome is a value, even on failure. Without a
 * provider, goes to the sign-in page.
 *
 * @example
 * ```ts
 * import { signIn } from '@siteauth/client'
 *
 * await signIn('github', { redirectTo: '/dashboard' })
 *
 * const { ok, error, code } = await signIn('credentials', {
 *   username: 'ann',
 *   password: 'a wrong one',
 *   redirect: false,
 * })
 * if (!ok) console.log(error, code) // CredentialsSignin credentials
 * ```
 */
export const signIn: SignIn = /* @__PURE__ */ createSignIn(endpointsOfPage)

/**
 * Signs out, in all tabs. Reloads the page, or leaves it for `redirectTo`. With `redirect: false`,
 * the page stays, and its stores know that no one is signed in.
 *
 * @example
 * ```ts
 * import { signOut } from '@siteauth/client'
 *
 * await signOut({ redirectTo: '/' })
 * ```
 */
export const signOut: SignOut = /* @__PURE__ */ createSignOut(endpointsOfPage)
