import type { Session } from '@siteauth/core/types'
import { type AuthClientOptions, findEndpointsBy } from './endpoints.ts'
import {
  type ClientSafeProviders,
  type GetSessionParams,
  readCsrfToken,
  readProviders,
  readSession,
} from './read.ts'
import { onBehalfOf, type RequestSource } from './request.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createSignOut, type SignOut } from './sign-out.ts'

/** This package's functions, for one set of endpoints. */
export interface AuthClient {
  readonly getSession: (params?: GetSessionParams) => Promise<Session | null>
  readonly getCsrfToken: (source?: RequestSource) => Promise<string>
  readonly getProviders: () => Promise<ClientSafeProviders | null>
  readonly signIn: SignIn
  readonly signOut: SignOut
}

/**
 * Creates this package's functions for endpoints that are not at `/api/auth`. Only needed on pages without a session
 * store; otherwise they use its endpoints.
 *
 * @example
 * ```ts
 * import { createAuthClient } from '@siteauth/client'
 *
 * export const { signIn, signOut } = createAuthClient({ basePath: '/auth' })
 * ```
 */
export function createAuthClient(options: AuthClientOptions): AuthClient {
  const find = findEndpointsBy(options)
  return {
    getSession: params => readSession(find(), params),
    getCsrfToken: source => readCsrfToken(find(), onBehalfOf(source)),
    getProviders: () => readProviders(find()),
    signIn: createSignIn(find),
    signOut: createSignOut(find),
  }
}
