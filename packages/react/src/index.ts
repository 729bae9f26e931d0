'use client'

import * as client from '@siteauth/client'
import { createSignIn, createSignOut, endpointsOfPage } from '@siteauth/client/integration'
import type { AuthClient } from './lib/auth-client.ts'
import { createUseSignIn, type UseSignIn } from './lib/use-sign-in.ts'

export type {
  AuthClientOptions,
  ClientSafeProvider,
  ClientSafeProviders,
  Destination,
  EndpointsOptions,
  GetSessionParams,
  RequestSource,
  SessionContextValue,
  SessionControls,
  SessionLoading,
  SignedIn,
  SignedOut,
  SignIn,
  SignInAuthorizationParams,
  SignInOptions,
  SignInProvider,
  SignInResponse,
  SignOut,
  SignOutParams,
  SignOutResponse,
  StoreOptions,
  SubmitResult,
  UpdateSession,
} from '@siteauth/client'
export type { LastOutcome } from '@siteauth/client/integration'
export type { DefaultSession, Session, User } from '@siteauth/core/types'
export { type AuthClient, createAuthClient } from './lib/auth-client.ts'
export { SessionContext } from './lib/session-context.ts'
export { SessionProvider, type SessionProviderProps } from './lib/session-provider.ts'
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
export const getSession: AuthClient['getSession'] = client.getSession

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
export const getCsrfToken: AuthClient['getCsrfToken'] = client.getCsrfToken

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
export const getProviders: AuthClient['getProviders'] = client.getProviders

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
export const signIn: client.SignIn = /* @__PURE__ */ createSignIn(endpointsOfPage)

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
export const signOut: client.SignOut = /* @__PURE__ */ createSignOut(endpointsOfPage)
