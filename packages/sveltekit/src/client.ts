import { createAuthClient } from './lib/client/create-auth-client.ts'
import type { ClientSignIn, ClientSignOut } from './lib/client/sign.ts'

export type { AuthorizationParams as SignInAuthorizationParams } from '@siteauth/core/integration'
export {
  type AuthClient,
  type AuthClientOptions,
  createAuthClient,
} from './lib/client/create-auth-client.ts'
// With the names that `@auth/sveltekit` has for them.
export type {
  Outcome,
  Outcome as SignInResponse,
  Outcome as SignOutResponse,
} from './lib/client/post-form.ts'
export type {
  ClientSignIn,
  ClientSignInOptions,
  ClientSignInOptions as SignInOptions,
  ClientSignInOptions as SignOutParams,
  ClientSignOut,
} from './lib/client/sign.ts'

const { signIn: signInHere, signOut: signOutHere } = /* @__PURE__ */ createAuthClient()

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
export const signIn: ClientSignIn = signInHere

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
export const signOut: ClientSignOut = signOutHere
