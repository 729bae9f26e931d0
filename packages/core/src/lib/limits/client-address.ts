import type { SentHeaders } from '../http/incoming.ts'

/**
 * How the address of a visitor is found out. Nobody guesses: `X-Forwarded-For` is what a visitor makes of it,
 * unless a proxy of yours has the last word.
 *
 * - `trustedProxies`: how many proxies of yours every request passes through, each of which adds the address
 *   that it sees to `X-Forwarded-For`.
 * - `header`: the name of a header that your proxy or platform sets, whatever a visitor sends, such as
 *   `cf-connecting-ip`.
 * - a function: from a request to an address, or undefined if you cannot tell.
 */
export type ClientAddress =
  | { readonly trustedProxies: number; readonly header?: never }
  | { readonly header: string; readonly trustedProxies?: never }
  | ((request: { readonly url: string; readonly headers: Headers }) => string | undefined)

/** What is looked at. */
interface Addressee {
  readonly url: URL
  readonly headers: SentHeaders
  /** What the server knows for sure. */
  readonly address?: string | undefined
}

/** The address of a visitor, by the application's rule; undefined if nobody knows. */
export function clientAddress(
  rule: ClientAddress | undefined,
  request: Addressee,
  webHeaders: (headers: SentHeaders) => Headers,
): string | undefined {
  const { headers, url, address } = request
  if (rule === undefined) return address
  if (typeof rule === 'function') {
    return rule({ url: url.href, headers: webHeaders(headers) }) ?? undefined
  }
  if (rule.header !== undefined) return headers.get(rule.header.toLowerCase()) ?? undefined
  // The nearest proxy writes last. What stands before those of ours, a visitor may have written.
  const hops = headers.get('x-forwarded-for')?.split(',') ?? []
  return hops.at(-rule.trustedProxies)?.trim()
}
