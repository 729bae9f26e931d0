/**
 * The network of an address, in one spelling: an IPv4 address itself, or the first 64 bits of an IPv6 address, since
 * that much belongs to one household. Null if the text is not an address.
 */
export function networkOf(written: string): string | null {
  const address = withoutPort(written.trim())
  if (isIpv4(address)) return address.split('.').map(Number).join('.')
  const groups = ipv6Groups(address)
  if (!groups) return null
  const [high = 0, low = 0] = groups.slice(6)
  if (IPV4_PREFIXES.includes(groups.slice(0, 6).join())) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
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

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

function isIpv4(text: string): boolean {
  return IPV4.test(text)
}

/** The eight groups of an address, or null. */
function ipv6Groups(text: string): readonly number[] | null {
  // A zone names the interface of this machine.
  const [address = ''] = text.split('%')
  const halves = address.split('::')
  if (halves.length > 2 || !address.includes(':')) return null
  const [head, tail] = halves.map(half => (half === '' ? [] : half.split(':').flatMap(pieceOf)))
  const given = [...(head ?? []), ...(tail ?? [])]
  if (given.some(Number.isNaN)) return null
  if (tail === undefined) return given.length === 8 ? given : null
  if (given.length > 7) return null
  return [...(head ?? []), ...Array<number>(8 - given.length).fill(0), ...tail]
}

/** A group, or two where an IPv4 address stands in their place. */
function pieceOf(piece: string): readonly number[] {
  if (isIpv4(piece)) {
    const [a = 0, b = 0, c = 0, d = 0] = piece.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  }
  return [/^[\da-f]{1,4}$/i.test(piece) ? Number.parseInt(piece, 16) : Number.NaN]
}
