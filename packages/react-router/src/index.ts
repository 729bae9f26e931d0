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
export type { ReactRouterAuth, ReactRouterAuthConfig } from './lib/react-router-auth.ts'
export type { RouteArgs, RouteHandler, RouteMiddleware } from './lib/route.ts'
export { SiteAuth, SiteAuth as default } from './lib/site-auth.ts'
