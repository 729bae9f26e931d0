export type {
  Callbacks,
  EventCallbacks,
  JwtParams,
  RedirectParams,
  SessionParams,
  SignInParams,
} from './lib/callbacks.ts'
export type {
  AuthConfig,
  CookieOverride,
  CookiesOptions,
  PagesOptions,
  SessionOptions,
} from './lib/config/options.ts'
export type { SessionOf } from './lib/config/session-of.ts'
export type { CookieAttributes, CookieOption } from './lib/http/cookies.ts'
export type { AuthAction } from './lib/http/incoming.ts'
export type { ResponseInternal } from './lib/http/to-response.ts'
export type {
  ErrorPageParam,
  SemverString,
  SignInPageErrorParam,
  WebAuthnOptionsResponseBody,
} from './lib/legacy-types.ts'
export type { LoggerInstance, WarningCode } from './lib/logger.ts'
export type {
  Account,
  Authenticator,
  Awaitable,
  Awaited,
  DefaultSession,
  DefaultUser,
  Profile,
  Session,
  TokenSet,
  User,
} from './lib/model.ts'
export type { Ports } from './lib/ports.ts'
export type { PublicProvider } from './lib/providers/provider.ts'
export type {
  CallbackSession,
  CallbackUser,
  ExposedColumns,
  ExposingSession,
  HiddenColumns,
  HiddenId,
  HiddenSessionColumns,
  Named,
  SeenSession,
} from './lib/session-types.ts'
export type { Theme } from './lib/theme.ts'
export type { Translation, Words } from './lib/words/words.ts'
