export { customFetch } from '@siteauth/core'
export { AuthError, CredentialsSignin } from '@siteauth/core/errors'
export type { JWT } from '@siteauth/core/jwt'
export type { Account, DefaultSession, Profile, Session, User } from '@siteauth/core/types'
export type {
  AuthorizedParams,
  AuthorizedResult,
  NextAuthCallbacks,
  NextAuthConfig,
  SiteAuthConfig,
} from './lib/auth-config.ts'
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
  WrappedResult,
} from './lib/result.ts'
export type {
  AuthorizationParams,
  SignIn,
  SignInOptions,
  SignInResult,
} from './lib/sign-in.ts'
export type { SignOut, SignOutOptions } from './lib/sign-out.ts'
export { SiteAuth, SiteAuth as default, SiteAuth as NextAuth } from './lib/site-auth.ts'
