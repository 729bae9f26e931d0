import { bytesIn, ipv4Bytes, ipv6Groups } from '../http/hosts/ip-address.ts'

/**
 * Whether a host, as `URL` writes it, is one that only this machine or its own network can reach. What
 * a name resolves to is not asked: this is about addresses and names that say so themselves.
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name.startsWith('[')) return isPrivateIPv6(ipv6Groups(name.slice(1, -1)))
  const bytes = ipv4Bytes(name)
  if (bytes) return isPrivateIPv4(bytes)
  return !name.includes('.') || PRIVATE_NAME.test(name)
}

/** Whether an address that a name resolves to is one that only this machine or its own network can reach. */
export function isPrivateAddress(address: string): boolean {
  const bytes = ipv4Bytes(address)
  if (bytes) return isPrivateIPv4(bytes)
  const groups = ipv6Groups(address.split('%')[0] ?? '')
  // RFC 6147: on networks with IPv6 alone, the resolver translates the address of every host that has IPv4 alone.
  const isTranslated = groups?.slice(0, 6).join() === TRANSLATED
  return isTranslated ? isPrivateIPv4(bytesIn(groups.slice(6))) : isPrivateIPv6(groups)
}

/** `64:ff9b::/96` (RFC 6052). */
const TRANSLATED = [0x64, 0xff9b, 0, 0, 0, 0].join()

/** Names for use within a network (RFC 6761, RFC 8375, ICANN), and those that clusters, routers and companies use. */
const PRIVATE_NAME = /\.(?:localhost|local|internal|home\.arpa|svc|lan|corp|intranet)$/

/** The special-purpose registry of IANA, multicast and reserved addresses, and the host of virtual machines in Azure. */
const SPECIAL_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'

/** The same registry, as far as it is inside 2000::/3, the only addresses that are assigned to hosts of the internet. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'

function isPrivateIPv4(bytes: readonly number[]): boolean {
  return isWithin(SPECIAL_IPV4, bytes, 8, ipv4Bytes)
}

function isPrivateIPv6(groups: readonly number[] | null): boolean {
  const isInternet = groups !== null && isWithin('2000::/3', groups, 16, ipv6Groups)
  return !isInternet || isWithin(SPECIAL_IPV6, groups, 16, ipv6Groups)
}

/** Whether an address is in one of the ranges. */
function isWithin(
  ranges: string,
  address: readonly number[],
  size: number,
  parse: typeof ipv4Bytes,
): boolean {
  const bits = bitsOf(address, size)
  return ranges.split(' ').some(range => {
    const [start = '', length] = range.split('/')
    return bits.startsWith(bitsOf(parse(start) ?? [], size).slice(0, Number(length)))
  })
}

function bitsOf(numbers: readonly number[], size: number): string {
  return numbers.map(each => each.toString(2).padStart(size, '0')).join('')
}
