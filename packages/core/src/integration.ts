export { isLater, type Lazy, lazily } from './lib/base/awaitable.ts'
export type { Awaitable } from './lib/base/model.ts'
export type { Platform } from './lib/config/basis.ts'
export type { Paths } from './lib/config/paths.ts'
export { pathsOf } from './lib/config/paths-of.ts'
export { type Prepared, prepareConfig, sessionsOf } from './lib/config/prepare.ts'
export {
  type Frame,
  type ReadingSite,
  type Resolution,
  type ResolvedConfig,
  type SessionConfig,
  type Site,
  type SiteFrame,
  siteFor,
  siteOf,
} from './lib/config/resolved.ts'
export { siteFrameOf } from './lib/config/site-frame.ts'
export { checkSession } from './lib/flows/read-session.ts'
export type { SetCookie } from './lib/http/cookies.ts'
export { type HostTrust, type OriginAnswer, resolveOrigin } from './lib/http/origin.ts'
export { parsePath, type Target } from './lib/http/parse-path.ts'
export { type Addressed, isSecure } from './lib/http/request-headers.ts'
export { type ArrivedSession, findSession } from './lib/http/session-cookie.ts'
export { customFetch } from './lib/providers/oauth.ts'
export type { CheckedSession } from './lib/steps/checked-session.ts'
export { pageUrl } from './lib/steps/page-url.ts'
