import type { ServerResponse } from 'node:http'
import { PRIVATE } from '../http/cache-control.ts'
import type { WireResponse } from '../http/write-response.ts'
import { preventCaching } from './prevent-caching.ts'

/** Whether it is too late to respond: other code did or has begun to, or the client is gone. */
export function isTooLate(res: ServerResponse): boolean {
  return res.headersSent || res.destroyed
}

/** Writes an answer. Headers that others have set stay, but for those that the answer has too. */
export function writeServerResponse(res: ServerResponse, response: WireResponse): void {
  if (isTooLate(res)) return
  for (const [name, value] of Object.entries(response.headers)) res.setHeader(name, value)
  // All but scripts and the like, which are the same for everyone.
  if (response.headers['Cache-Control'] === PRIVATE) preventCaching(res)
  appendCookies(res, response.setCookies)
  res.statusCode = response.status
  res.end(response.body ?? undefined)
}

/** Adds `Set-Cookie` headers to the existing ones, and keeps the response out of caches. */
export function addCookies(res: ServerResponse, lines: readonly string[]): void {
  if (!isTooLate(res)) appendCookies(res, lines)
}

function appendCookies(res: ServerResponse, lines: readonly string[]): void {
  if (lines.length === 0) return
  const before = res.getHeader('set-cookie') ?? []
  res.setHeader('set-cookie', [...(Array.isArray(before) ? before : [String(before)]), ...lines])
  preventCaching(res)
}
