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
import { createUseSignIn, type UseSignIn } from './lib/use-sign-in.ts'

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
export type { LastOutcome } from './lib/use-outcome.ts'
export { type UseSessionOptions, useSession } from './lib/use-session.ts'
export type { SignInForm, UseSignIn } from './lib/use-sign-in.ts'

/**
 * Asks the server who is signed in; null if no one is. Providers on the page learn the answer too.
 * Rejects if there is no proper response: then it is unknown.
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
 * The token your own forms need in a `csrfToken` field. Empty if the application does not use one.
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
 * The available providers, by id; null if the server does not say.
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
 * Signs in. Leaves the page for the provider, or for where the visitor wanted to go. With
 * `redirect: false`, the page stays and the outcome is a value, even on failure. Without a
 * provider, goes to the sign-in page.
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
 * A `signIn` that leaves the page alone, with what became of the last attempt: for forms of your own with a
 * password or a code.
 *
 * @example
 * ```tsx
 * import { useSignIn } from '@siteauth/react'
 *
 * export function EnterCode() {
 *   const { signIn, isPending, outcome } = useSignIn()
 *   const send = async (form: FormData) => {
 *     const { ok, url } = await signIn('nodemailer', { code: form.get('code') })
 *     if (ok && url) location.assign(url)
 *   }
 *   return (
 *     <form action={send}>
 *       <input name="code" autoComplete="one-time-code" />
 *       <button disabled={isPending}>Sign in</button>
 *       {outcome?.error ? <p role="alert">That code is not right.</p> : null}
 *     </form>
 *   )
 * }
 * ```
 */
export const useSignIn: UseSignIn = /* @__PURE__ */ createUseSignIn(signIn)

/**
 * Signs out, in all tabs. Reloads the page, or leaves it for `redirectTo`. With `redirect: false`,
 * the page stays, and its providers know that no one is signed in.
 *
 * @example
 * ```ts
 * import { signOut } from '@siteauth/react'
 *
 * await signOut({ redirectTo: '/' })
 * ```
 */
export const signOut: SignOut = /* @__PURE__ */ createSignOut(endpointsOfPage)
