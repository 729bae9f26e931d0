export { respond } from './lib/auth.ts'
export { type Platform, type Resolution, resolveConfig } from './lib/config/resolve.ts'
export {
  type Frame,
  type ResolvedConfig,
  type Site,
  siteFor,
  siteOf,
} from './lib/config/resolved.ts'
export { atPaths, forOwnCalls } from './lib/config/variants.ts'
export { isForeignRequest } from './lib/csrf/foreign-request.ts'
export { pageUrl } from './lib/flows/page-url.ts'
export { type CheckedSession, checkSession } from './lib/flows/read-session.ts'
export { asThrown, type Handled, handle } from './lib/handle.ts'
export { changedCookies, type SetCookie, serializeCookie } from './lib/http/cookies.ts'
export {
  type Addressed,
  type HostTrust,
  isSecure,
  type OriginAnswer,
  resolveOrigin,
} from './lib/http/origin.ts'
export type { Outgoing } from './lib/http/outgoing.ts'
export { parsePath, type Target } from './lib/http/parse-path.ts'
export { type ArrivedSession, findSession } from './lib/http/session-cookie.ts'
export { toClientResponse, toInternal, toResponse } from './lib/http/to-response.ts'
