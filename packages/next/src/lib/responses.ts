import { isForSomeCaches } from '@siteauth/core/cookies'
import { NEXT, passOn } from './pass-on.ts'
import { PASSED_PRIVATE, PRIVATE } from './private-headers.ts'

const REWRITE = 'x-middleware-rewrite'

/** Whether a response lets the request pass, here or to another path. */
export function passesOn({ headers }: Response): boolean {
  return headers.has(NEXT) || headers.has(REWRITE)
}

/** Lets a request pass to what is for one visitor alone. */
export function passOnPrivately(): Response {
  return passOn(PASSED_PRIVATE)
}

/**
 * An answer that was given because someone is signed in, kept from caches that others share.
 *
 * @param isOwn whether what the answer says about caches itself counts
 */
export function forOneVisitor(response: Response, isOwn: boolean): Response {
  const said = response.headers.get('cache-control')
  if (isOwn && said !== null) return response
  const copy = new Response(response.body, response)
  keepFromCaches(copy)
  // It may let the visitor's own browser keep it.
  if (said !== null && IS_PRIVATE.test(said)) copy.headers.set('cache-control', said)
  return copy
}

// `private="name"` is about one header, and leaves the rest to caches.
const IS_PRIVATE = /\b(?:private\b(?!=)|no-store\b)/i

/** Whoever is handed a session by a cache is signed in: no cache may keep one, of whatever kind. */
export function keepFromCaches(response: Response): void {
  const { headers } = response
  for (const name of [...headers.keys()].filter(isForSomeCaches)) headers.delete(name)
  const { vary, ...said } = passesOn(response) ? PASSED_PRIVATE : { ...PRIVATE, vary: null }
  for (const [name, value] of Object.entries(said)) headers.set(name, value)
  if (vary) headers.append('vary', vary)
}

/** Not by `instanceof` alone: there may be several classes of that name in one process. */
export function isResponse(value: unknown): value is Response {
  return (
    value instanceof Response ||
    (typeof value === 'object' && value !== null && 'headers' in value && 'status' in value)
  )
}
