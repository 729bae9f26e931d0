import type { IncomingHttpHeaders } from 'node:http'
import { senderOf } from '../http/client-connection.ts'
import { isHost } from '../http/host-header.ts'
import { isSecure } from '../http/request-headers.ts'
import type { NodeRequest } from './sent-request.ts'

/** A request as it arrived, and what the framework believes of what proxies say. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: unknown }
  /** Whether the framework's setting for proxies covers an address on the way, the nearest first. */
  readonly trusts: (address: string | undefined, index: number) => boolean
  /** The protocol that the framework detects, by that setting. */
  readonly protocol?: string | undefined
  /** The host that it detects. */
  readonly host?: string | undefined
}

/** The URL and the sender of a request, as far as the framework trusts them. */
export function addressOf(
  arrival: Arrival,
): Pick<NodeRequest, 'headers' | 'host' | 'protocol' | 'own' | 'sender'> {
  const { headers, socket, trusts, host = headers.host } = arrival
  const { remoteAddress: peer } = socket
  const isTrusted = trusts(peer, 0)
  const forwarded = isTrusted ? headers['x-forwarded-host']?.toString() : undefined
  const own = new Map<string, string>()
  // A malformed host is rejected, also if the framework has taken another one from a proxy.
  const sent = [headers.host, headers[':authority']?.toString()]
  const named = sent.find(each => each !== undefined && !isHost(each)) ?? host
  if (named !== undefined) own.set('host', named)
  if (forwarded) own.set('x-forwarded-host', forwarded)
  const get = (name: string) => headers[name]?.toString() ?? null
  return {
    headers,
    host,
    own,
    protocol: isEncrypted(arrival, isTrusted) ? 'https:' : 'http:',
    sender: () => senderOf({ peer, trusts, headers: { get, has: name => name in headers } }),
  }
}

function isEncrypted({ headers, socket, protocol }: Arrival, isTrusted: boolean): boolean {
  if (socket.encrypted || protocol === 'https') return true
  // Frameworks look at one of the list. Behind two proxies, only the first may have spoken HTTPS.
  const header = (name: string) => headers[name]?.toString()
  return isTrusted && isSecure(undefined, { header, protocol: 'http:' })
}
