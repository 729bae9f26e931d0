import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ServerRequest } from './express.ts'

/**
 * Whether a visitor came over HTTPS, as Express says it by its setting `trust proxy`. The one place
 * that decides it, for the endpoints and for sessions alike; `AUTH_URL` wins over it.
 */
export function schemeOf(
  req: IncomingMessage & { readonly protocol?: string },
  headers: IncomingHttpHeaders,
): 'https:' | 'http:' {
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted
  // Express looks at its settings each time. They matter only where a proxy says something.
  const isSaid = headers['x-forwarded-proto'] !== undefined
  // Requests that did not come through Express, such as upgrades to WebSockets, have no protocol.
  const scheme = (isSaid ? req.protocol : undefined) ?? (encrypted ? 'https' : 'http')
  return scheme === 'https' ? 'https:' : 'http:'
}

/**
 * The host headers that may be looked at. What a proxy says counts only where `trust proxy` covers
 * the peer; the engine then decides between them, by `trustHost`.
 */
export function hostHeaders(
  req: ServerRequest,
  { host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders,
): Iterable<[string, string]> {
  const headers: [string, string][] = host ? [['host', host]] : []
  if (forwarded && trustsPeer(req)) headers.push(['x-forwarded-host', String(forwarded)])
  return headers
}

function trustsPeer(req: ServerRequest): boolean {
  const trust = req.app.get('trust proxy fn')
  return typeof trust === 'function' && trust(req.socket.remoteAddress, 0) === true
}
