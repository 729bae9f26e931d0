export { changedCookies, serializeCookie } from './lib/http/cookie-text.ts'
