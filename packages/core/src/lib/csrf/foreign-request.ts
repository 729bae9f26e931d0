import type { SentHeaders } from '../http/incoming.ts'

/**
 * Whether the browser itself says that a request was made by a page of another origin. Where it
 * says nothing (an old browser, a program) this answers no, and the token decides alone.
 */
export function isForeignRequest(
  headers: Pick<SentHeaders, 'get'>,
  origin: string,
  trustedOrigins: readonly string[],
): boolean {
  const sender = headers.get('origin')
  if (sender && (sender === origin || trustedOrigins.includes(sender))) return false
  const site = headers.get('sec-fetch-site')
  // `none`: the person did it, not a page. A trusted proxy may hide the true origin from us, but
  // not from the browser, whose word counts more than our own guess.
  if (site) return site !== 'same-origin' && site !== 'none'
  // Pages with a strict referrer policy send `null`, which says nothing either way.
  return sender !== null && sender !== 'null'
}
