'use client'

import {
  type AuthClientOptions,
  createPasskeyClient as createClient,
  type PasskeySignIn,
  signIn as signInOfPage,
} from '@siteauth/client/webauthn'

export {
  type AuthClientOptions,
  cancelPasskey,
  type EndpointsOptions,
  PasskeyError,
  type PasskeyErrorType,
  type PasskeySignIn,
  type PasskeySignInOptions,
} from '@siteauth/client/webauthn'

/**
 * Signs in with a passkey, or creates one. Needs the `@simplewebauthn/browser` package. Leaves the
 * page for where the visitor wanted to go. With `redirect: false`, the page stays and the outcome
 * is a value, even on failure; otherwise, a failed prompt rejects with a `PasskeyError`.
 *
 * @example
 * ```ts
 * import { signIn } from '@siteauth/react/webauthn'
 *
 * await signIn('passkey', { redirectTo: '/dashboard' })
 *
 * // Adds a passkey for whoever is signed in; with `email`, signs somebody up.
 * const { ok, error } = await signIn('passkey', { action: 'register', redirect: false })
 * if (!ok) console.log(error) // PasskeyCancelled, PasskeyExists, AccountNotLinked …
 *
 * // Offers passkeys in the autofill of a field with autocomplete="username webauthn".
 * await signIn('passkey', { autofill: true })
 * ```
 */
export const signIn: PasskeySignIn = signInOfPage

/**
 * Creates a `signIn` for endpoints that are not at `/api/auth`. Only needed on pages without a
 * `SessionProvider`, which says where they are.
 *
 * @example
 * ```ts
 * import { createPasskeyClient } from '@siteauth/react/webauthn'
 *
 * export const { signIn } = createPasskeyClient({ basePath: '/auth' })
 * ```
 */
export function createPasskeyClient(options: AuthClientOptions): {
  readonly signIn: PasskeySignIn
} {
  return createClient(options)
}
