import type { Session } from '@siteauth/core/types'
import { createElement, type ReactElement } from 'react'
import { type AuthClientOptions, findEndpointsBy } from './endpoints.ts'
import {
  type ClientSafeProviders,
  type GetSessionParams,
  readCsrfToken,
  readProviders,
  readSession,
} from './read.ts'
import { onBehalfOf, type RequestSource } from './request.ts'
import { SessionProvider, type SessionProviderProps } from './session-provider.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createSignOut, type SignOut } from './sign-out.ts'
import { createUseSignIn, type UseSignIn } from './use-sign-in.ts'

/** This package's functions, for one set of endpoints. */
export interface AuthClient {
  readonly SessionProvider: (props: SessionProviderProps) => ReactElement
  readonly getSession: (params?: GetSessionParams) => Promise<Session | null>
  readonly getCsrfToken: (source?: RequestSource) => Promise<string>
  readonly getProviders: () => Promise<ClientSafeProviders | null>
  readonly signIn: SignIn
  readonly signOut: SignOut
  readonly useSignIn: UseSignIn
}

/**
 * Creates this package's functions for endpoints that are not at `/api/auth`. Only needed without a
 * provider on the page; otherwise they use its endpoints.
 *
 * @example
 * ```ts
 * import { createAuthClient } from '@siteauth/react'
 *
 * export const { SessionProvider, signIn, signOut } = createAuthClient({ basePath: '/auth' })
 * ```
 */
export function createAuthClient(options: AuthClientOptions): AuthClient {
  const find = findEndpointsBy(options)
  const { baseUrl, basePath } = options
  const signIn = createSignIn(find)
  return {
    SessionProvider: props => createElement(SessionProvider, { baseUrl, basePath, ...props }),
    getSession: params => readSession(find(), params),
    getCsrfToken: source => readCsrfToken(find(), onBehalfOf(source)),
    getProviders: () => readProviders(find()),
    signIn,
    signOut: createSignOut(find),
    useSignIn: createUseSignIn(signIn),
  }
}
