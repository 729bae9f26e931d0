import type { Session } from '@siteauth/core/types'

declare global {
  namespace App {
    interface Locals {
      /** Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due. */
      auth(): Promise<Session | null>
    }
    interface Platform {}
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
export type {
  Account,
  DefaultSession,
  Profile,
  Session,
  SessionOf,
  User,
} from '@siteauth/core/types'
export { SiteAuth, SiteAuth as SvelteKitAuth } from './lib/create-sveltekit-auth.ts'
export type {
  RequiredExcept,
  SignInFailure,
  SvelteKitAuth as SvelteKitAuthResult,
  SvelteKitAuthConfig,
} from './lib/sveltekit-auth.ts'
