import type { Session } from '@siteauth/core/types'

declare global {
  namespace App {
    interface Locals {
      /** Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due. */
      auth(): Promise<Session | null>
    }
  }
}

export { customFetch, defineConfig } from '@siteauth/core'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type {
  AuthorizationParams,
  RequireSessionOptions,
  SignInOptions,
} from '@siteauth/core/integration'
export type { Session, SessionOf, User } from '@siteauth/core/types'
export type { AstroAuth, AstroAuthConfig, RequiredExcept } from './lib/astro-auth.ts'
export type { AstroContext } from './lib/astro-context.ts'
export { SiteAuth, SiteAuth as default } from './lib/site-auth.ts'
