export { customFetch } from '@siteauth/core'
export {
  AccessTokenError,
  AuthError,
  CredentialsSignin,
  PasswordRefused,
  TooManyAttempts,
} from '@siteauth/core/errors'
export type {
  AccessToken,
  AccessTokenWish,
  Account,
  CallbackSession,
  CallbackUser,
  DefaultSession,
  ExposedColumns,
  ExposingSession,
  ListedAccount,
  ListedSession,
  NamedAccount,
  Profile,
  PublicProvider,
  SeenSession,
  Session,
  SessionOf,
  UnlinkedAccount,
  UnlinkWish,
  User,
} from '@siteauth/core/types'
export type { ExpressAuthConfig, ServerAuthConfig } from './lib/auth-config.ts'
export { defineConfig } from './lib/define-config.ts'
export { endUser } from './lib/end-user.ts'
export type { Middleware, Next, ServerRequest, SessionLocals, WithLocals } from './lib/express.ts'
export { type GetSessionResult, getSession } from './lib/get-session.ts'
export { listProviders } from './lib/list-providers.ts'
export { endOtherSessions, endSession, listSessions } from './lib/own-sessions.ts'
export {
  type AskForPasswordOptions,
  askForPassword,
  type ChangePasswordOptions,
  type ChoosePasswordOptions,
  changePassword,
  choosePassword,
  type RemovePasswordOptions,
  removePassword,
} from './lib/passwords.ts'
export {
  getAccessToken,
  listAccounts,
  providerFetch,
  unlinkAccount,
} from './lib/provider-tokens.ts'
export type { SessionRequest } from './lib/read-session.ts'
export { type RequireSessionOptions, requireSession } from './lib/require-session.ts'
export { rotate } from './lib/rotate.ts'
export { ServerAuth, ServerAuth as ExpressAuth } from './lib/server-auth.ts'
export { session } from './lib/session.ts'
export { type AuthorizationParams, type SignInOptions, signIn } from './lib/sign-in.ts'
export { type SignOutOptions, signOut } from './lib/sign-out.ts'
export { update } from './lib/update.ts'
