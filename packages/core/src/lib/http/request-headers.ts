import type { Sender } from './request.ts'

/** The headers of a request: the web's own, or an object such as Node's, with names in lower case. */
export type RequestHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** One header of a request. Several of one name are joined as they would stand in one. */
export function readHeader(headers: RequestHeaders, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name)
  const value = headers[name]
  if (typeof value === 'string') return value
  return value ? value.join(name === 'cookie' ? '; ' : ', ') : null
}

/** Detected by its methods: an edge runtime or a test environment may have a `Headers` of its own. */
export function isHeaders(headers: RequestHeaders): headers is Headers {
  return typeof headers['get'] === 'function'
}

/** The parts of a request that say where it was sent to. */
export interface RequestAddress {
  header(name: string): string | null | undefined
  /** The URL as the server sees it, or just its protocol if the server has nothing more. */
  readonly protocol: string
  readonly host: string
  readonly sender?: (() => Sender) | undefined
}

/**
 * Whether a request came over HTTPS: the part of its origin that decides the names of the cookies,
 * and all that reading a session needs to know.
 */
export function isSecure(
  configured: string | undefined,
  request: Pick<RequestAddress, 'header' | 'protocol'>,
): boolean {
  return (configured ?? protocolOf(request)).startsWith('https:')
}

const LISTS_HTTPS = /(?:^|,)\s*https:?\s*(?:,|$)/i

/** The protocol that the visitor's browser spoke, with a colon. */
export function protocolOf({
  header,
  protocol,
}: Pick<RequestAddress, 'header' | 'protocol'>): string {
  // HTTPS, if anyone on the way, this server included, states it: a visitor can write `http` into the list and not
  // remove the rest, and a URL that is built from this must not be downgraded to plain http by that.
  return !protocol.startsWith('https:') && LISTS_HTTPS.test(header('x-forwarded-proto') ?? '')
    ? 'https:'
    : protocol
}
