import type { SentHeaders } from './incoming.ts'

/** Headers by which browsers say so. */
const SAID = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
/** Those of Next's router. Of some prefetches only the last one tells, and what it wants is no page of ours. */
const SENT = ['next-router-prefetch', 'next-router-segment-prefetch', 'rsc']

/**
 * With which status to refuse a page that is fetched before anyone wants it; undefined if someone
 * does. Whoever fetched it then asks once more when it is wanted: a browser after a failure, and
 * Next's router after anything that it cannot use. For a failure it would have the browser complain
 * on the console.
 */
export function prefetchStatus(headers: SentHeaders): 200 | 503 | undefined {
  if (SENT.some(name => headers.has(name))) return 200
  const isSaid = SAID.some(name => /^(?:prefetch|preview)\b/.test(headers.get(name) ?? ''))
  return isSaid ? 503 : undefined
}
