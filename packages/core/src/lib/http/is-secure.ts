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

/** The protocol that the visitor's browser spoke, with a colon. */
export function protocolOf({ header, protocol }: Pick<Addressed, 'header' | 'protocol'>): string {
  // Here the first of a list counts: it is the one that the visitor's browser spoke. A visitor who
  // lies about it only changes which of the own cookies are read.
  const forwarded = header('x-forwarded-proto')
  if (!forwarded) return protocol
  const [, first] = /^[\s,]*(https?):?\s*(?:,|$)/i.exec(forwarded) ?? []
  return first ? `${first.toLowerCase()}:` : protocol
}
