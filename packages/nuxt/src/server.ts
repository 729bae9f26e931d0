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
export type {
  H3Auth,
  H3AuthConfig,
  NitroLike,
  PluginOptions,
  RequiredExcept,
} from './lib/h3/h3-auth.ts'
export { SiteAuth, SiteAuth as default } from './lib/h3/site-auth.ts'
