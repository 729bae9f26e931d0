import { isForOne, isForSomeCaches } from '@siteauth/core/cookies'
import type { H3Event } from 'h3'

/**
 * Whether others may be shown the answer: `routeRules` have told caches to keep it, or it is an error page, of which
 * the rules of the page that failed are not known.
 */
export function mayBeShownToOthers({ headers, node: { res } }: H3Event): boolean {
  const said = res.getHeader('cache-control')
  const isKept = said !== undefined && !isForOne(String(said))
  return isKept || res.getHeaderNames().some(isForSomeCaches) || headers.has('x-nuxt-error')
}
