import type { ServerResponse } from 'node:http'
import type { ResponseChange } from '../http/change-response.ts'
import { addCookiesLast } from './add-cookies-last.ts'
import { preventCaching, removeTargetedCacheHeaders } from './prevent-caching.ts'
import { isTooLate } from './write-server-response.ts'

/**
 * Makes a change to a response of Node's that the application is about to give. Its cookies are added when the headers
 * are written, so handlers cannot replace them.
 */
export function changeServerResponse(
  res: ServerResponse,
  { setCookies, caching }: ResponseChange,
): void {
  if (isTooLate(res)) return
  if (setCookies.length > 0) addCookiesLast(res, setCookies)
  if (caching === 'never') {
    preventCaching(res)
    return
  }
  // Headers that were set before are meant for every page, and do not count. Those that a handler sets afterwards do.
  removeTargetedCacheHeaders(res)
  res.setHeader('cache-control', 'private, no-cache')
}
