// TypeScript does not load a module only because a declaration adds to it: with this, `declare module '@siteauth/next/jwt'` needs
// no import of it.
/// <reference path="./jwt.ts" preserve="true" />
export type { AdapterSession, AdapterUser } from '@siteauth/core/adapters'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type {
  AccountCalls,
  PasswordCalls,
  RequireSessionOptions,
  SessionCalls,
  UserCalls,
} from '@siteauth/core/integration'
export { customFetch } from '@siteauth/core/internal'
export type { JWT } from '@siteauth/core/jwt'
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
export type {
  AuthorizationParams,
  SignIn,
  SignInOptions,
  SignInResult,
} from './lib/calls/sign-in.ts'
export type { SignOut, SignOutOptions } from './lib/calls/sign-out.ts'
export { askOnce } from './lib/config/ask-once.ts'
export type {
  AuthorizedParams,
  AuthorizedResult,
  NextAuthCallbacks,
  NextAuthConfig,
  SiteAuthConfig,
} from './lib/config/auth-config.ts'
export { defineConfig } from './lib/config/auth-config.ts'
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
export { SiteAuth, SiteAuth as default, SiteAuth as NextAuth } from './lib/site-auth.ts'
