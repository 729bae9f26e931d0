/** The parts of a request that say where it was sent to. */
export interface Addressed {
  header(name: string): string | null | undefined
  /** The URL as the server sees it, or just its protocol where there is no more. */
  readonly protocol: string
  readonly host: string
}

/**
 * Whether a request came over HTTPS: the part of its origin that decides the names of the cookies,
 * and all that reading a session needs to know.
 */
export function isSecure(
  configured: string | undefined,
  request: Pick<Addressed, 'header' | 'protocol'>,
): boolean {
  return (configured ?? protocolOf(request)).startsWith('https:')
}

const LISTS_HTTPS = /(?:^|,)\s*https:?\s*(?:,|$)/i

/** The protocol that the visitor's browser spoke, with a colon. */
export function protocolOf({ header, protocol }: Pick<Addressed, 'header' | 'protocol'>): string {
  // HTTPS, if anyone on the way says so, be it this server: a visitor can write `http` into the
  // list and not take the rest out, and what is built from this must not lead to plain http by
  // that.
  return !protocol.startsWith('https:') && LISTS_HTTPS.test(header('x-forwarded-proto') ?? '')
    ? 'https:'
    : protocol
}
