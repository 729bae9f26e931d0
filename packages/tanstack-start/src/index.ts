export { customFetch, defineConfig } from '@siteauth/core'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type { AuthorizationParams, SignInOptions } from '@siteauth/core/integration'
export type { Session, SessionOf, User } from '@siteauth/core/types'
export type { RequestMiddleware } from './lib/request-middleware.ts'
export { SiteAuth, SiteAuth as default } from './lib/site-auth.ts'
export type { StartAuth, StartAuthConfig } from './lib/start-auth.ts'
