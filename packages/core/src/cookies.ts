export { isPrivateCacheControl, isTargetedCacheHeader, PRIVATE } from './lib/http/cache-control.ts'
export { changedCookies, cookiesAfter, serializeCookie } from './lib/http/cookie-text.ts'
export {
  markPrivate,
  type NodeAnswer,
  removeTargetedCacheHeaders,
} from './lib/node/keep-private.ts'
