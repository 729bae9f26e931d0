/**
 * Whether a host, as `URL` writes it, is one that only this machine or its own network can reach. What
 * a name resolves to is not asked: this is about addresses and names that say so themselves.
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name.startsWith('[')) return isPrivateIPv6(name.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return isPrivateIPv4(name.split('.').map(Number))
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(name)
}

/** RFC 6890 and its updates: this network, private, shared, loopback, link-local, tests, multicast. */
function isPrivateIPv4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  return (
    [0, 10, 127].includes(a) ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && c === 0))) ||
    (a === 198 && (b === 18 || b === 19))
  )
}

function isPrivateIPv6(address: string): boolean {
  const groups = groupsOf(address)
  const [first = 0, second = 0, third = 0] = groups
  // An IPv4 address inside: compatible, mapped or translated, and 6to4.
  const isEmbedded = groups.slice(0, 5).every(each => each === 0) || first === 0x64
  if (isEmbedded) return isPrivateIPv4(bytesOf(groups.slice(6)))
  if (first === 0x2002) return isPrivateIPv4(bytesOf([second, third]))
  // Unique local, link-local and site-local, multicast.
  return (first & 0xfe00) === 0xfc00 || (first & 0xff80) === 0xfe80 || first >= 0xff00
}

/** The eight groups. `URL` has written an IPv4 address at the end as groups, too. */
function groupsOf(address: string): readonly number[] {
  const [start = '', end] = address.split('::')
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map(each => Number.parseInt(each, 16))
  if (end === undefined) return read(start)
  const [left, right] = [read(start), read(end)]
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function bytesOf(groups: readonly number[]): readonly number[] {
  return groups.flatMap(each => [each >> 8, each & 0xff])
}
