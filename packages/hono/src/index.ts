export { customFetch, defineConfig, setEnvDefaults } from '@siteauth/core'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type { AuthorizationParams, SignInOptions } from '@siteauth/core/integration'
export type { Session, SessionOf, User } from '@siteauth/core/types'
export {
  type AuthConfig,
  type AuthEnv,
  type AuthUser,
  authHandler,
  type ConfigHandler,
  getAuthUser,
  initAuthConfig,
  reqWithEnvUrl,
  verifyAuth,
} from './lib/auth-js.ts'
export type { HonoAuth, HonoAuthConfig, SessionEnv } from './lib/hono-auth.ts'
export { SiteAuth, SiteAuth as default } from './lib/site-auth.ts'
