export type { AdapterSession, AdapterUser } from '@siteauth/core/adapters'
export { AuthError, CredentialsSignin } from '@siteauth/core/errors'
export { customFetch } from '@siteauth/core/integration'
export type { JWT } from '@siteauth/core/jwt'
export type {
  Account,
  CallbackSession,
  CallbackUser,
  DefaultSession,
  ExposedColumns,
  ExposingSession,
  ListedSession,
  Profile,
  SeenSession,
  Session,
  SessionOf,
  User,
} from '@siteauth/core/types'
export { askOnce } from './lib/ask-once.ts'
export type {
  AuthorizedParams,
  AuthorizedResult,
  NextAuthCallbacks,
  NextAuthConfig,
  SiteAuthConfig,
} from './lib/auth-config.ts'
export { defineConfig } from './lib/define-config.ts'
export type {
  AnyContext,
  Auth,
  ContextOf,
  NextAuthRequest,
  NextAuthResult,
  RequestSession,
  RouteContext,
  RouteHandler,
  RouteHandlers,
  SessionUpdate,
  SiteAuthResult,
  WrappedHandler,
  WrappedResult,
} from './lib/result.ts'
export type { SignIn } from './lib/sign-in.ts'
export type { AuthorizationParams, SignInOptions, SignInResult } from './lib/sign-in-options.ts'
export type { SignOut, SignOutOptions } from './lib/sign-out.ts'
export { SiteAuth, SiteAuth as default, SiteAuth as NextAuth } from './lib/site-auth.ts'
