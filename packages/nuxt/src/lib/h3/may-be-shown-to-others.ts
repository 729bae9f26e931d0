import { isPrivateCacheControl, isTargetedCacheHeader } from '@siteauth/core/internal'
import type { H3Event } from 'h3'

/**
 * Whether others may be shown the answer: `routeRules` have told caches to keep it, or it is an error page, of which
 * the rules of the page that failed are not known.
 */
export function mayBeShownToOthers({ path, node: { res } }: H3Event): boolean {
  const said = res.getHeader('cache-control')
  const isKept = said !== undefined && !isPrivateCacheControl(String(said))
  return isKept || res.getHeaderNames().some(isTargetedCacheHeader) || path.startsWith(ERROR_PAGE)
}

// By which Nuxt knows it as well. The header x-nuxt-error says nothing: anybody can send it.
const ERROR_PAGE = '/__nuxt_error'
