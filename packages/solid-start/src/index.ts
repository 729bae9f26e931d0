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
export { SiteAuth, SiteAuth as SolidAuth } from './lib/create-solid-auth.ts'
export { getSession } from './lib/get-session.ts'
export type { SolidAuth as SolidAuthResult, SolidAuthConfig } from './lib/solid-auth.ts'
export type {
  MadeMiddleware,
  MiddlewareOptions,
  OwnMiddleware,
  SolidEvent,
} from './lib/solid-event.ts'
