export {
  CALLS,
  type CallName,
  type CommonCalls,
  isUserCall,
  type VisitorCallName,
} from './lib/api/auth-calls.ts'
export { isPromise, lazily } from './lib/base/awaitable.ts'
export { type ConfigLoader, loadConfig } from './lib/config/resolution/load-config.ts'
export type {
  InvalidConfig,
  ReadingScheme,
  ResolvedConfig,
  SessionConfig,
} from './lib/config/resolved-config.ts'
export { schemeFor, schemeOf } from './lib/config/scheme.ts'
export { type Paths, pathsOf, type SiteAddress, siteAddressOf } from './lib/config/site-address.ts'
export { pageUrl } from './lib/flows/request/endpoint-url.ts'
export { isPrivateCacheControl, isTargetedCacheHeader, PRIVATE } from './lib/http/cache-control.ts'
export { senderOf } from './lib/http/client-connection.ts'
export { changedCookies, cookiesAfter, serializeCookie } from './lib/http/cookie-text.ts'
export type { SetCookie } from './lib/http/cookies.ts'
export { findSession } from './lib/http/find-session-cookie.ts'
export { hasMalformedHost } from './lib/http/host-header.ts'
export { resolveOrigin } from './lib/http/origin.ts'
export { parsePath } from './lib/http/parse-path.ts'
export { readCookies, readTrustedCookies } from './lib/http/read-cookies.ts'
export { isSecure } from './lib/http/request-headers.ts'
export { callOrMiddleware } from './lib/integration/call-or-middleware.ts'
export {
  type AccessDecision,
  type Denial,
  decideAccess,
  isAllowed,
} from './lib/integration/decide-access.ts'
export { denyRequest, logPageLoop } from './lib/integration/deny-request.ts'
export { readExemptions } from './lib/integration/exemptions.ts'
export { assertGuardOptions } from './lib/integration/guard-options.ts'
export type { GuardedRequest } from './lib/integration/sign-in-location.ts'
export { malformedHost, toDenial } from './lib/integration/to-denial.ts'
export { limiterInMemory, type OpenLimiter } from './lib/limits/open-limiter.ts'
export { preventCaching, removeTargetedCacheHeaders } from './lib/node/prevent-caching.ts'
export type { CheckedSession } from './lib/principal/apply-session-cookie.ts'
export { checkSession } from './lib/principal/check-session.ts'
export { customFetch } from './lib/providers/oauth.ts'
