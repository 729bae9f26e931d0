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
export { CurrentSession, Public, RequireSession } from './lib/decorators.ts'
export type { NestRedirect } from './lib/nest-redirect.ts'
export { SessionGuard } from './lib/session-guard.ts'
export { type SiteAuthAsyncOptions, SiteAuthModule } from './lib/site-auth-module.ts'
export { SiteAuthService } from './lib/site-auth-service.ts'
export type { HttpRequest } from './lib/visit.ts'
