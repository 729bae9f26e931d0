import { type ClientSignIn, type ClientSignOut, createSignIn, createSignOut } from './sign.ts'

/** Where the endpoints are. */
export interface AuthClientOptions {
  /** The path, with `paths.base` of SvelteKit if there is one. Defaults to `/auth`. */
  readonly basePath?: string | undefined
}

/** The functions for pages. */
export interface AuthClient {
  readonly signIn: ClientSignIn
  readonly signOut: ClientSignOut
}

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
export function createAuthClient({ basePath = '/auth' }: AuthClientOptions = {}): AuthClient {
  const base = basePath.replace(/\/$/, '')
  return { signIn: createSignIn(base), signOut: createSignOut(base) }
}
