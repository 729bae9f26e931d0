/** The cache headers of a response about one visitor, so that it is not given to another. */
export const PRIVATE = 'private, no-cache, no-store'

/**
 * Headers that speak to one kind of cache, which obeys them rather than `Cache-Control`. Those that
 * caches share are named by RFC 9213 and by their makers.
 */
const TARGETED =
  /^(?:(?:[a-z]+-)*cdn-cache-control|surrogate-control|edge-control|x-accel-expires|x-litespeed-cache-control)$/

/** Whether a header, by its name in lower case, speaks to some caches in place of `Cache-Control`. */
export function isTargetedCacheHeader(name: string): boolean {
  return TARGETED.test(name)
}

/** Whether the value of `Cache-Control` keeps a response out of the caches that several people share. */
export function isPrivateCacheControl(cacheControl: string): boolean {
  return /(?:^|,)\s*(?:private|no-store)\s*(?:,|$)/i.test(cacheControl)
}
