export { respond } from './lib/auth.ts'
export { type Platform, type Resolution, resolveConfig } from './lib/config/resolve.ts'
export { type Frame, type ResolvedConfig, type Site, siteOf } from './lib/config/resolved.ts'
export { atPaths, forOwnCalls } from './lib/config/variants.ts'
export { isForeignRequest } from './lib/csrf/foreign-request.ts'
export { type CheckedSession, checkSession } from './lib/flows/read-session.ts'
export { asThrown, type Handled, handle } from './lib/handle.ts'
export { type SetCookie, serializeCookie } from './lib/http/cookies.ts'
export {
  type Addressed,
  type HostTrust,
  type OriginAnswer,
  resolveOrigin,
} from './lib/http/origin.ts'
export type { Outgoing } from './lib/http/outgoing.ts'
export { toClientResponse, toInternal, toResponse } from './lib/http/to-response.ts'
