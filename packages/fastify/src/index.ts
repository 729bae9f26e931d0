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
export type { FastifyAuth, FastifyAuthConfig } from './lib/fastify-auth.ts'
export { SiteAuth, SiteAuth as default } from './lib/site-auth.ts'
