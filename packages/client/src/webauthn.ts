import { type AuthClientOptions, endpointsOfPage, findEndpointsBy } from './lib/endpoints.ts'
import { createPasskeySignIn, type PasskeySignIn } from './lib/passkey-sign-in.ts'

export type { AuthClientOptions, EndpointsOptions } from './lib/endpoints.ts'
export { PasskeyError, type PasskeyErrorType } from './lib/passkey-error.ts'
export {
  cancelPasskey,
  type PasskeySignIn,
  type PasskeySignInOptions,
} from './lib/passkey-sign-in.ts'

/**
 * Signs in with a passkey, or creates one. Needs the `@simplewebauthn/browser` package. Leaves the
 * page for where the visitor wanted to go. With `redirect: false`, the page stays and the outcome
 * is a value, even on failure; otherwise, a failed prompt rejects with a `PasskeyError`.
 *
 * @example
 * ```ts
 * import { signIn } from '@siteauth/client/webauthn'
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
export const signIn: PasskeySignIn = /* @__PURE__ */ createPasskeySignIn(endpointsOfPage)

/**
 * Creates a `signIn` for endpoints that are not at `/api/auth`. Only needed on pages without a session store,
 * which says where they are.
 *
 * @example
 * ```ts
 * import { createPasskeyClient } from '@siteauth/client/webauthn'
 *
 * export const { signIn } = createPasskeyClient({ basePath: '/auth' })
 * ```
 */
export function createPasskeyClient(options: AuthClientOptions): {
  readonly signIn: PasskeySignIn
} {
  return { signIn: createPasskeySignIn(findEndpointsBy(options)) }
}
