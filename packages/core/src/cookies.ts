export {
  isPrivateCacheControl,
  isTargetedCacheHeader,
  markPrivate,
  type NodeAnswer,
  PRIVATE,
  removeTargetedCacheHeaders,
} from './lib/http/cache-control.ts'
export { changedCookies, cookiesAfter, serializeCookie } from './lib/http/cookie-text.ts'
