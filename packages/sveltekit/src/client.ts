import { createAuthClient } from './lib/client/create-auth-client.ts'
import type { ClientSignIn, ClientSignOut } from './lib/client/sign.ts'

export {
  type AuthClient,
  type AuthClientOptions,
  createAuthClient,
} from './lib/client/create-auth-client.ts'
export type { Outcome } from './lib/client/post-form.ts'
export type { ClientSignIn, ClientSignInOptions, ClientSignOut } from './lib/client/sign.ts'

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
