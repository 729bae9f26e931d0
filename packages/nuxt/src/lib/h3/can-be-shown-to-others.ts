import { isPrivateCacheControl, isTargetedCacheHeader } from '@siteauth/core/internal'
import type { H3Event } from 'h3'

/**
 * Whether others may be shown the response: `routeRules` let caches store it, or it is an error page, for which the
 * rules of the page that failed are not available.
 */
export function canBeShownToOthers({ path, node: { res } }: H3Event): boolean {
  const header = res.getHeader('cache-control')
  const isCached = header !== undefined && !isPrivateCacheControl(String(header))
  return isCached || res.getHeaderNames().some(isTargetedCacheHeader) || path.startsWith(ERROR_PAGE)
}

// Nuxt recognises it by this as well. The header x-nuxt-error proves nothing: anybody can send it.
const ERROR_PAGE = '/__nuxt_error'
