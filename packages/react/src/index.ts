'use client'

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
export {
  type NotKnown,
  SessionContext,
  type SessionContextValue,
  type SessionControls,
  type SignedIn,
  type SignedOut,
  type UpdateSession,
} from './lib/session-context.ts'
export { SessionProvider, type SessionProviderProps } from './lib/session-provider.ts'
export type { StoreOptions } from './lib/session-store.ts'
export type {
  SignIn,
  SignInAuthorizationParams,
  SignInOptions,
  SignInProvider,
  SignInResponse,
} from './lib/sign-in.ts'
export type { SignOut, SignOutParams, SignOutResponse } from './lib/sign-out.ts'
export type { Destination, Submitted } from './lib/submit.ts'
export { type UseSessionOptions, useSession } from './lib/use-session.ts'

/**
 * Asks the server who is signed in; null where nobody is. Providers on the page learn the answer
 * too. Rejects where no proper answer comes: then it is not known.
 *
 * @example
 * ```ts
 * import { getSession } from '@siteauth/react'
 *
 * const session = await getSession()
 * console.log(session?.user?.name ?? 'a stranger')
 * ```
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return readSession(endpointsOfPage(), params)
}

/**
 * The token that a form of your own must have in its field `csrfToken`. Empty where the application
 * does without.
 *
 * @example
 * ```ts
 * import { getCsrfToken } from '@siteauth/react'
 *
 * const body = new URLSearchParams({ csrfToken: await getCsrfToken() })
 * await fetch('/api/auth/signout', { method: 'POST', body })
 * ```
 */
export function getCsrfToken(source?: RequestSource): Promise<string> {
  return readCsrfToken(endpointsOfPage(), onBehalfOf(source))
}

/**
 * The providers that one can sign in with, by id; null where the server does not say.
 *
 * @example
 * ```ts
 * import { getProviders } from '@siteauth/react'
 *
 * const names = Object.values((await getProviders()) ?? {}).map(provider => provider.name)
 * ```
 */
export function getProviders(): Promise<ClientSafeProviders | null> {
  return readProviders(endpointsOfPage())
}

/**
 * Signs in. The page is left for the provider, or for where the visitor wanted to go. With
 * `redirect: false` it stays, and what came out is a value, also where it failed. Without a provider
 * the visitor goes to the sign-in page.
 *
 * @example
 * ```ts
 * import { signIn } from '@siteauth/react'
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
 * Signs out, in all tabs. The page is loaded anew, or left for `redirectTo`. With `redirect: false`
 * it stays, and providers on it know that nobody is signed in.
 *
 * @example
 * ```ts
 * import { signOut } from '@siteauth/react'
 *
 * await signOut({ redirectTo: '/' })
 * ```
 */
export const signOut: SignOut = /* @__PURE__ */ createSignOut(endpointsOfPage)
