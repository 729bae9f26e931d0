import type { Sender } from '@siteauth/core/endpoints'
import { isSecure, senderOf as senderBy } from '@siteauth/core/integration'
import type { FastifyRequest } from 'fastify'

/** Whether a visitor came over HTTPS, as Fastify says it by its setting `trustProxy`. */
export function requestScheme(request: FastifyRequest): 'https:' | 'http:' {
  if (request.protocol === 'https') return 'https:'
  // That was the last of the list: behind two proxies, only the first of them may have spoken HTTPS.
  const header = (name: string) => request.headers[name]?.toString()
  const isProxied = trustsPeer(request) && isSecure(undefined, { header, protocol: 'http:' })
  return isProxied ? 'https:' : 'http:'
}

/** Where a request came from, by the same setting: the last of the addresses that Fastify lists. */
export function senderOf(request: FastifyRequest): Sender {
  const { headers, socket, ips = [] } = request
  return senderBy({
    peer: socket.remoteAddress,
    headers: { get: name => headers[name]?.toString() ?? null, has: name => name in headers },
    trusts: (_address, index) => index < ips.length - 1,
  })
}

/** Fastify lists those behind the peer only where it trusts that. */
function trustsPeer({ ips = [] }: FastifyRequest): boolean {
  return ips.length > 1
}
