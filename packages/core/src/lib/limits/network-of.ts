import { bytesIn, ipv4Bytes, ipv6Groups } from '../http/hosts/ip-address.ts'

/**
 * The network of an address, in one spelling: an IPv4 address itself, or the first 64 bits of an IPv6 address, since
 * that much belongs to one household. Null if the text is not an address.
 */
export function networkOf(written: string): string | null {
  const address = withoutPort(written.trim())
  if (ipv4Bytes(address)) return address
  // A zone names the interface of this machine.
  const groups = ipv6Groups(address.split('%')[0] ?? '')
  if (!groups) return null
  if (IPV4_PREFIXES.includes(groups.slice(0, 6).join())) return bytesIn(groups.slice(6)).join('.')
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/**
 * Prefixes of an IPv4 address: `::ffff:0:0/96`, which servers use for IPv4 visitors, and `64:ff9b::/96`, which
 * networks with IPv6 alone use (RFC 6052). As one household, they would be everyone.
 */
const IPV4_PREFIXES: readonly string[] = [
  [0, 0, 0, 0, 0, 0xffff].join(),
  [0x64, 0xff9b, 0, 0, 0, 0].join(),
]

/** Some proxies write where the visitor's connection began. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  if (bracketed !== undefined) return bracketed
  const [, before] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return before ?? text
}
