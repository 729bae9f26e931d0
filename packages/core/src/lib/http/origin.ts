import { isHost } from './host-header.ts'
import { isForwarded } from './hosts/forwarded.ts'
import { fitsHost } from './hosts/host-pattern.ts'
import { isLoopbackAddress, isLoopbackHost } from './hosts/loopback.ts'
import { protocolOf, type RequestAddress } from './request-headers.ts'

/** Only this machine itself, for requests that no other server has passed on; in the second case, the framework's own has. */
export type LoopbackTrust = 'loopback' | 'loopback through own server'

/** Whether the host that a request names is believed: always, never, if it is listed, or if it is this machine. */
export type HostTrust = boolean | readonly string[] | LoopbackTrust

/** Whether only this machine is trusted. */
export function isLoopbackTrust(trust: HostTrust): trust is LoopbackTrust {
  return trust === 'loopback' || trust === 'loopback through own server'
}

/** The answer of {@link resolveOrigin}: an origin, or the host that is not believed. */
export type ResolvedOrigin =
  | { readonly origin: string; readonly untrusted?: never }
  | { readonly untrusted: string; readonly origin?: never }

/**
 * Decides which origin a request was sent to, for every way into the library. The configured one wins; otherwise that
 * of a trusted proxy; otherwise the host of the request itself.
 */
export function resolveOrigin(
  configured: string | undefined,
  trust: HostTrust,
  request: RequestAddress,
): ResolvedOrigin {
  const sent = request.header('host')
  if (sent && !isHost(sent)) return { untrusted: sent }
  if (configured) return { origin: configured }
  if (trust === false) return { untrusted: request.header('host') ?? request.host }
  if (isLoopbackTrust(trust)) return loopbackOrigin(trust, request)
  const hosts = [
    // The last of a list was written by the nearest proxy, the only one that surely is ours. What
    // stands before it may have been sent by the visitor.
    ...listOf(request.header('x-forwarded-host')).reverse(),
    ...listOf(request.header('host')),
    request.host,
  ]
  const host = trust === true ? hosts[0] : hosts.find(each => isListed(each, trust))
  if (!host || !isHost(host) || ENDS_WITH_DOT.test(host)) return { untrusted: hosts[0] ?? '' }
  try {
    return { origin: originOf(`${protocolOf(request)}//${host}`) }
  } catch {
    return { untrusted: host }
  }
}

/** Many proxies pass the requests of strangers on with the host that the application listens on. */
function loopbackOrigin(trust: LoopbackTrust, request: RequestAddress): ResolvedOrigin {
  const host = request.header('host') ?? request.host
  const sender = request.sender?.()
  const [peer = ''] = sender?.hops ?? []
  const isFromHere =
    isLoopbackHost(host) &&
    !sender?.isForwarded &&
    (peer === '' || isLoopbackAddress(peer)) &&
    !isForwarded(name => request.header(name), trust === 'loopback through own server')
  return isFromHere ? { origin: originOf(`${protocolOf(request)}//${host}`) } : { untrusted: host }
}

// Nearly all requests to a server name the same host.
let lastUrl = ''
let lastOrigin = ''

function originOf(url: string): string {
  if (url === lastUrl) return lastOrigin
  lastOrigin = new URL(url).origin
  lastUrl = url
  return lastOrigin
}

function listOf(value: string | null | undefined): string[] {
  if (!value) return []
  return value
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
}

function isListed(host: string, list: readonly string[]): boolean {
  const name = host.toLowerCase()
  return list.some(each => fitsHost(each.toLowerCase(), name))
}

/** The same host to DNS, but another origin to browsers. */
const ENDS_WITH_DOT = /\.(?::|$)/
