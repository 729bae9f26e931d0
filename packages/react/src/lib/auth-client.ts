import {
  type AuthClientOptions,
  type AuthClient as BareClient,
  createAuthClient as createBareClient,
} from '@siteauth/client'
import { createElement, type ReactElement } from 'react'
import { SessionProvider, type SessionProviderProps } from './session-provider.ts'
import { createUseSignIn, type UseSignIn } from './use-sign-in.ts'

/** This package's functions, for one set of endpoints. */
export interface AuthClient extends BareClient {
  readonly SessionProvider: (props: SessionProviderProps) => ReactElement
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
  const { baseUrl, basePath } = options
  const client = createBareClient(options)
  return {
    ...client,
    SessionProvider: props => createElement(SessionProvider, { baseUrl, basePath, ...props }),
    useSignIn: createUseSignIn(client.signIn),
  }
}
