import { isTargetedCacheHeader } from '@siteauth/core/internal'
import { letPass, NEXT_HEADER } from '../proxy-headers.ts'

/** For responses that are about one visitor. Next puts them in place of a page's own, as of a static one. */
export const PRIVATE = { 'cache-control': 'private, no-cache, no-store' }

/**
 * The same for what a proxy lets pass. What lies behind may speak to some caches by headers of their own:
 * Next leaves ours in place. A page or an API route of the Pages Router can still replace `Cache-Control`,
 * and then these are what keeps caches away.
 */
const PASSED_PRIVATE = {
  ...PRIVATE,
  'cdn-cache-control': 'no-store',
  'cloudflare-cdn-cache-control': 'no-store',
  'netlify-cdn-cache-control': 'no-store',
  'vercel-cdn-cache-control': 'no-store',
  'x-litespeed-cache-control': 'no-store',
  'edge-control': 'no-store',
  'surrogate-control': 'no-store',
  'x-accel-expires': '0',
  vary: 'cookie',
}

const REWRITE = 'x-middleware-rewrite'

/** Whether a response lets the request pass, here or to another path. */
export function letsPass({ headers }: Response): boolean {
  return headers.has(NEXT_HEADER) || headers.has(REWRITE)
}

/** Lets a request pass to what is for one visitor alone. */
export function letPassPrivately(): Response {
  return letPass(PASSED_PRIVATE)
}

// `private="name"` is about one header, and leaves the rest to caches.
const IS_PRIVATE = /\b(?:private\b(?!=)|no-store\b)/i

/** A response to a user, which shared caches must not store. */
export function forOneVisitor(response: Response): Response {
  const header = response.headers.get('cache-control')
  const copy = new Response(response.body, response)
  preventCaching(copy)
  // It may let the visitor's own browser keep it.
  if (header !== null && IS_PRIVATE.test(header)) copy.headers.set('cache-control', header)
  return copy
}

/** Whoever is handed a session by a cache is signed in: no cache may keep one, of whatever kind. */
export function preventCaching(response: Response): void {
  const { headers } = response
  for (const name of [...headers.keys()].filter(isTargetedCacheHeader)) headers.delete(name)
  const { vary, ...cacheHeaders } = letsPass(response) ? PASSED_PRIVATE : { ...PRIVATE, vary: null }
  for (const [name, value] of Object.entries(cacheHeaders)) headers.set(name, value)
  if (vary) headers.append('vary', vary)
}
