import type { SentHeaders } from './incoming.ts'

/** Headers that say so by their value, and those of Next's router, which are only there then. */
const SAID = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
const SENT = ['next-router-prefetch', 'next-router-segment-prefetch']

/** Whether a page is fetched before anybody wants it, and perhaps nobody ever does. */
export function isPrefetch(headers: SentHeaders): boolean {
  return (
    SENT.some(name => headers.has(name)) ||
    SAID.some(name => /^(?:prefetch|preview)\b/.test(headers.get(name) ?? ''))
  )
}
