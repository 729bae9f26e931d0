import { isForwarded } from './hosts/forwarded.ts'
import type { Sender, SentHeaders } from './request.ts'

/** How a server knows who sent a request. */
export interface Connection {
  /** The peer of the connection: the visitor, or a proxy. */
  readonly peer: string | undefined
  readonly headers: Pick<SentHeaders, 'get' | 'has'>
  /** Whether the settings of the server cover an address on the way, the nearest first. Defaults to none. */
  readonly trusts?: ((address: string | undefined, index: number) => boolean) | undefined
}

/**
 * The sender of a request: the first address on the way that the settings of the server do not cover is the
 * visitor's. It is unknown if they cover all of them, or if the peer forwards for others without being trusted, or is
 * in a private network and so most likely a proxy.
 */
export function senderOf({ peer = '', headers, trusts = () => false }: Connection): Sender {
  const forwarded = headers.get('x-forwarded-for') ?? ''
  const behind = forwarded.split(',').map(each => each.trim())
  const hops = [peer, ...(forwarded ? behind.reverse() : [])]
  const at = hops.findIndex((hop, index) => !trusts(hop, index))
  const isUnclear = at === 0 && (isProxied(headers) || PRIVATE_NETWORK.test(peer))
  const address = isUnclear ? undefined : hops[at]
  return { address, hops, isForwarded: isForwarded(name => headers.get(name)) }
}

/** Loopback, RFC 1918, RFC 6598, link-local and unique local addresses. */
const PRIVATE_NETWORK =
  /^(?:$|(?:::ffff:)?(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|::1$|f[cd]|fe[89ab])/i

function isProxied(headers: Connection['headers']): boolean {
  return ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(name => headers.has(name))
}
