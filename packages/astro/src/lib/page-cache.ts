/** As much of Astro's cache of pages as it takes to keep out of it. It gives everybody the same page. */
export interface PageCache {
  readonly enabled: boolean
  /** What was wished for so far. */
  readonly options: {
    readonly maxAge?: number | undefined
    readonly tags?: readonly string[] | undefined
  }
  set(off: false): void
}

/** Whether a page is cached, by the options that were set so far. */
export function isCachedBy(cache: PageCache | undefined): boolean {
  if (!cache?.enabled) return false
  const { maxAge, tags = [] } = cache.options
  return maxAge !== undefined || tags.length > 0
}

/** Prevents that a page is cached, whatever options are set later: components may set some while it is sent. */
export function preventCaching(cache: PageCache | undefined): void {
  if (!cache?.enabled) return
  cache.set(false)
  cache.set = () => {}
}
