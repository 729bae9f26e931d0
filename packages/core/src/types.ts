export type {
  ChangePasswordOptions,
  ChoosePasswordOptions,
  PasswordLinkOptions,
  RemovePasswordOptions,
} from './lib/api/password-calls.ts'
export type { Authenticator } from './lib/base/adapter.ts'
export type { Awaitable, Awaited } from './lib/base/awaitable.ts'
export type {
  Callbacks,
  EventCallbacks,
  JwtParams,
  RedirectParams,
  SessionParams,
  SignInParams,
} from './lib/base/callbacks.ts'
export type { LoggerInstance, WarningCode } from './lib/base/logger.ts'
export type { Ports } from './lib/base/ports.ts'
export type { DefaultSession, Session } from './lib/base/session.ts'
export type {
  CallbackSession,
  CallbackUser,
  ExposedColumns,
  ExposedSession,
  HiddenColumns,
  HiddenId,
  HiddenSessionColumns,
  Named,
  SessionWithExposed,
} from './lib/base/session-types.ts'
export type { Account, DefaultUser, Profile, TokenSet, User } from './lib/base/user.ts'
export type { Theme } from './lib/branding/theme.ts'
export type {
  ErrorPageParam,
  SemverString,
  SignInPageErrorParam,
  WebAuthnOptionsResponseBody,
} from './lib/compat/legacy-types.ts'
export type { SessionOf } from './lib/config/define-config.ts'
export type {
  AccountOptions,
  AuthConfig,
  CookieOverride,
  CookiesOptions,
  PagesOptions,
  SessionOptions,
} from './lib/config/options.ts'
export type { DescribeSession } from './lib/devices/describe-session.ts'
export type { ListedSession } from './lib/devices/listed-session.ts'
export type { AccessToken, AccessTokenOptions } from './lib/flows/account/get-access-token.ts'
export type { ListedAccount, NamedAccount } from './lib/flows/account/list-accounts.ts'
export type { RevokedAccount } from './lib/flows/account/revoke-provider-tokens.ts'
export type { UnlinkedAccount, UnlinkOptions } from './lib/flows/account/unlink-account.ts'
export type {
  SessionEndListener,
  SessionEndOptions,
  SessionEndReason,
} from './lib/flows/session/on-session-end.ts'
export type { RevokedAccess } from './lib/flows/session/revoke-access.ts'
export type { CookieAttributes, CookieOption } from './lib/http/cookies.ts'
export type { AuthAction } from './lib/http/request.ts'
export type { ResponseInternal } from './lib/http/write-response.ts'
export type { PublicProvider } from './lib/providers/provider.ts'
export type { Messages, Translation } from './lib/translations/messages.ts'
