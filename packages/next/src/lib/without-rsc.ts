/** What Next's router adds to the address of a page, to keep it apart from the page itself in caches. */
const ADDED = '_rsc'

/** An address as people see it. The very URL where nothing was added. */
export function withoutRsc(url: URL): URL {
  if (!url.searchParams.has(ADDED)) return url
  const seen = new URL(url)
  seen.searchParams.delete(ADDED)
  return seen
}
