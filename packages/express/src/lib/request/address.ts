import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isSecure, senderOf as senderBy } from '@siteauth/core/internal'
import type { Sender } from '@siteauth/core/internal/endpoints'
import type { ServerRequest } from '../express.ts'

/**
 * Whether a visitor came over HTTPS, by Express's setting `trust proxy`. The one place that decides it, for the
 * endpoints and for sessions alike; `AUTH_URL` wins over it.
 */
export function requestScheme(
  req: IncomingMessage & { readonly protocol?: string },
  headers: IncomingHttpHeaders,
): 'https:' | 'http:' {
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted
  const forwarded = headers['x-forwarded-proto']
  if (encrypted) return 'https:'
  // Express reads its settings each time. They matter only if a proxy sends such a header.
  if (forwarded === undefined) return 'http:'
  if (req.protocol === 'https') return 'https:'
  // That was the first of the list, which a visitor may have sent. The engine looks at all of it.
  const request = { header: () => String(forwarded), protocol: 'http:' }
  const isProxied = trustsPeer(req) && isSecure(undefined, request)
  return isProxied ? 'https:' : 'http:'
}

/** Whether an untrusted proxy claims that a visitor came over HTTPS. */
export function claimsHttpsUntrusted(req: ServerRequest): boolean {
  const { headers } = req
  const header = () => String(headers['x-forwarded-proto'] ?? '')
  return (
    isSecure(undefined, { header, protocol: 'http:' }) && requestScheme(req, headers) === 'http:'
  )
}

/**
 * The host headers that may be read. Those of a proxy count only if `trust proxy` covers the peer; the engine then
 * decides between them, by `trustHost`.
 */
export function hostHeaders(
  req: ServerRequest,
  { host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders,
): Iterable<[string, string]> {
  const headers: [string, string][] = host === undefined ? [] : [['host', host]]
  if (forwarded && trustsPeer(req)) headers.push(['x-forwarded-host', String(forwarded)])
  return headers
}

/** Where a request came from, by the same setting. */
export function senderOf(req: ServerRequest): Sender {
  const { headers, socket } = req
  return senderBy({
    peer: socket.remoteAddress,
    headers: { get: name => headers[name]?.toString() ?? null, has: name => name in headers },
    trusts: (address, index) => trusts(req, address, index),
  })
}

function trustsPeer(req: IncomingMessage): boolean {
  return trusts(req, req.socket.remoteAddress, 0)
}

function trusts(req: IncomingMessage, address: string | undefined, index: number): boolean {
  if (!isExpress(req)) return false
  const trust = req.app.get('trust proxy fn')
  return typeof trust === 'function' && trust(address, index) === true
}

/** Requests that did not come through Express, such as upgrades to WebSockets, have no application. */
function isExpress(req: IncomingMessage): req is ServerRequest {
  return 'app' in req
}
