import type { ParsedRequest } from '../http/request.ts'
import { webHeaders } from '../http/request.ts'

/**
 * How the address of a visitor is found. It is not guessed: visitors can put anything into `X-Forwarded-For`, unless
 * a proxy of yours has the last word.
 *
 * - `trustedProxies`: how many proxies of yours every request passes through, each of which adds the address that it
 * sees to `X-Forwarded-For`. With 0, the peer of the connection is the visitor.
 * - `header`: the name of a header that your proxy or platform sets, whatever a visitor sends, such as
 *   `cf-connecting-ip`.
 * - a function: from a request to an address, or undefined if you cannot tell.
 */
export type ClientAddress =
  | { readonly trustedProxies: number; readonly header?: never }
  | { readonly header: string; readonly trustedProxies?: never }
  | ((request: { readonly url: string; readonly headers: Headers }) => string | undefined)

/** The address of a visitor, by the application's rule; undefined if unknown. */
export function clientAddress(
  rule: ClientAddress | undefined,
  { headers, url, ...request }: Pick<ParsedRequest, 'headers' | 'url' | 'sender'>,
): string | undefined {
  const sender = request.sender?.()
  if (rule === undefined) return sender?.address
  if (typeof rule === 'function') return rule({ url: url.href, headers: webHeaders(headers) })
  if (rule.header !== undefined) return headers.get(rule.header.toLowerCase()) ?? undefined
  if (sender) return sender.hops[rule.trustedProxies]
  // Without a connection to look at. The nearest proxy writes last.
  const forwarded = headers.get('x-forwarded-for')?.split(',').reverse() ?? []
  return forwarded[rule.trustedProxies - 1]?.trim()
}
