export {
  dropTargeted,
  isForOne,
  isForSomeCaches,
  keepPrivate,
  type NodeAnswer,
  PRIVATE,
} from './lib/http/cache-control.ts'
export { changedCookies, cookiesAfter, serializeCookie } from './lib/http/cookie-text.ts'
