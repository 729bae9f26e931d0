import {
  type AuthClient,
  type AuthClientOptions,
  createAuthClient as createClient,
  type SessionStoreOptions,
} from '@siteauth/client'
import { type ProvidedSession, provideSession as provide } from '@siteauth/svelte'

export type {
  AuthClient,
  AuthClientOptions,
  SessionContextValue,
  SessionStoreOptions,
  SignIn,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOut,
  SignOutParams,
  SignOutResponse,
} from '@siteauth/client'
export { type ProvidedSession, type UseSessionOptions, useSession } from '@siteauth/svelte'

/** Where the endpoints are, unless the page says otherwise. */
const basePath = '/auth'
const client: AuthClient = /* @__PURE__ */ createClient({ basePath, followsProvider: true })

/**
 * Signs in from a page: with a provider, or at the sign-in page if none is named. Leaves the page; with
 * `redirect: false`, it stays, and the outcome is a value.
 *
 * @example
 * ```ts
 * import { signIn } from '@siteauth/sveltekit/client'
 *
 * await signIn('github', { redirectTo: '/account' })
 *
 * const { ok } = await signIn('credentials', { name: 'Ada', password: '…', redirect: false })
 * console.log(ok ? 'Welcome' : 'Wrong name or password.')
 * ```
 */
export const signIn: AuthClient['signIn'] = client.signIn

/**
 * Signs out from a page, and goes to `redirectTo` or loads the page again. With `redirect: false`, the page stays:
 * call SvelteKit's `invalidateAll` then.
 *
 * @example
 * ```ts
 * import { signOut } from '@siteauth/sveltekit/client'
 *
 * await signOut({ redirectTo: '/' })
 * ```
 */
export const signOut: AuthClient['signOut'] = client.signOut

/**
 * Makes `signIn` and `signOut` for endpoints that are not at `/auth`.
 *
 * @example
 * ```ts
 * import { createAuthClient } from '@siteauth/sveltekit/client'
 *
 * export const { signIn, signOut } = createAuthClient({ basePath: '/shop/auth' })
 * ```
 */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  return createClient({ basePath, ...options })
}

/**
 * Tells all pages who is signed in, in every tab, through `useSession`. Call it in the outermost layout, with the
 * session of the load function. See `@siteauth/svelte`.
 *
 * @example
 * ```ts
 * // in the script of src/routes/+layout.svelte
 * import { provideSession } from '@siteauth/sveltekit/client'
 *
 * declare const data: { session: { expires: string } | null }
 *
 * const session = provideSession({ session: data.session })
 * ```
 */
export function provideSession(options: SessionStoreOptions = {}): ProvidedSession {
  return provide({ basePath, ...options })
}
