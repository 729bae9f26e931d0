export { changedCookies, serializeCookie } from './lib/http/cookie-text.ts'
export {
  dropTargeted,
  isForSomeCaches,
  keepPrivate,
  type NodeAnswer,
  PRIVATE,
} from './lib/http/private-answer.ts'
