export { customFetch } from '@siteauth/core'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type { AuthorizationParams, SignInOptions, SignOutOptions } from '@siteauth/core/integration'
export type {
  AccessToken,
  AccessTokenOptions,
  Account,
  CallbackSession,
  CallbackUser,
  DefaultSession,
  ExposedColumns,
  ExposedSession,
  ListedAccount,
  ListedSession,
  NamedAccount,
  Profile,
  PublicProvider,
  Session,
  SessionOf,
  SessionWithExposed,
  UnlinkedAccount,
  UnlinkOptions,
  User,
} from '@siteauth/core/types'
export type { ExpressAuthConfig, ServerAuthConfig } from './lib/auth-config.ts'
export type { AuthInstance } from './lib/auth-instance.ts'
export { defineConfig } from './lib/define-config.ts'
export type { Middleware, Next, ServerRequest, SessionLocals, WithLocals } from './lib/express.ts'
export { ServerAuth, ServerAuth as ExpressAuth } from './lib/server-auth.ts'
export { type GetSessionResult, getSession } from './lib/session/get-session.ts'
export type { SessionRequest } from './lib/session/read-session.ts'
export type { RequireSessionOptions } from './lib/session/require-session.ts'
export { SiteAuth } from './lib/site-auth.ts'
