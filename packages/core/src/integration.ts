export {
  type AccountCalls,
  type AuthCalls,
  CALLS,
  type CallName,
  type CallTraits,
  type CommonCalls,
  isUserCall,
  type PasswordCalls,
  type SessionCalls,
  type UserCalls,
  type VisitorCallName,
} from './lib/api/auth-calls.ts'
export { deriveCalls } from './lib/api/derive-calls.ts'
export type {
  ChangePasswordOptions,
  ChoosePasswordOptions,
  PasswordLinkOptions,
  RemovePasswordOptions,
} from './lib/api/password-calls.ts'
export type {
  AuthorizationParams,
  RedirectOptions,
  SignInOptions,
  SignOutOptions,
} from './lib/api/sign-in-options.ts'
export { isPromise } from './lib/base/awaitable.ts'
export type { Awaitable } from './lib/base/model.ts'
export { type ConfigLoader, loadConfig } from './lib/config/resolution/load-config.ts'
export {
  type FaultyConfig,
  type PageConfig,
  type ReadingScheme,
  type ResolvedConfig,
  type SchemeConfig,
  type SessionConfig,
  schemeFor,
  schemeOf,
} from './lib/config/resolved-config.ts'
export { type Paths, pathsOf, type SiteAddress, siteAddressOf } from './lib/config/site-address.ts'
export type { Platform } from './lib/config/sources.ts'
export { pageUrl } from './lib/flows/request/endpoint-url.ts'
export {
  type AnswerChange,
  changeHeaders,
  changeResponse,
  type PendingChanges,
  pendingChanges,
} from './lib/http/change-response.ts'
export { type Connection, senderOf } from './lib/http/client-connection.ts'
export type { SetCookie } from './lib/http/cookies.ts'
export { type ArrivedSession, findSession } from './lib/http/find-session-cookie.ts'
export { hasMalformedHost } from './lib/http/host-header.ts'
export { type HostTrust, type OriginAnswer, resolveOrigin } from './lib/http/origin.ts'
export { parsePath, type Target } from './lib/http/parse-path.ts'
export { readCookies, readTrustedCookies, type SentCookie } from './lib/http/read-cookies.ts'
export { isSecure, type RequestAddress } from './lib/http/request-headers.ts'
export { toResponse, type WireResponse } from './lib/http/write-response.ts'
export { callOrMiddleware } from './lib/integration/call-or-middleware.ts'
export { createIntegration } from './lib/integration/create-integration.ts'
export {
  type AccessDecision,
  type AccessRule,
  type Denial,
  decideAccess,
  isAllowed,
} from './lib/integration/decide-access.ts'
export { type DeniedAnswer, type DenyOptions, denyRequest } from './lib/integration/deny-request.ts'
export { type ExceptNames, type Exemptions, readExemptions } from './lib/integration/exemptions.ts'
export type { FrameworkAdapter } from './lib/integration/framework-adapter.ts'
export { assertGuardOptions } from './lib/integration/guard-options.ts'
export type {
  FrontGuarded,
  Guarded,
  Integration,
  IntegrationConfig,
  Refusal,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from './lib/integration/integration.ts'
export type { GuardedRequest } from './lib/integration/sign-in-location.ts'
export { type DeniedRequest, malformedHost, toDenial } from './lib/integration/to-denial.ts'
export { limiterInMemory, type OpenLimiter } from './lib/limits/open-limiter.ts'
export { checkSession } from './lib/principal/check-session.ts'
export type { CheckedSession } from './lib/principal/settle-session.ts'
export { customFetch } from './lib/providers/oauth.ts'
