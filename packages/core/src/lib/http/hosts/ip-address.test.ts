import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { isPrivateAddress, isPrivateHost } from '../../oauth/private-host.ts'
import { ipv4Bytes, ipv6Groups } from './ip-address.ts'

const { IPv4, IPv6 } = ipaddr

const group = fc.integer({ min: 0, max: 0xffff }).map(each => each.toString(16))
const byte = fc.integer({ min: 0, max: 300 }).map(String)

/** Texts that are addresses, or nearly. */
const nearly = fc
  .array(fc.oneof(group, byte, fc.constantFrom(':', '::', '.', '1.2.3.4', '0', '', 'g', '00001')), {
    maxLength: 18,
  })
  .chain(parts => fc.constantFrom('', ':', '.').map(between => parts.join(between)))

const anyGroups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })

/** Starts of ranges that have a meaning, so that random addresses are in them as well. */
const STARTS = [
  '::',
  '::ffff:0:0',
  '::ffff:0:0:0',
  '64:ff9b::',
  '64:ff9b:1::',
  '100::',
  '2001::',
  '2001:db8::',
  '2002::',
  '2620:4f:8000::',
  '3fff::',
  '5f00::',
  'fc00::',
  'fe80::',
  'fec0::',
  'ff00::',
  '2606:4700::',
]
const nearRange = fc
  .tuple(fc.constantFrom(...STARTS), fc.integer({ min: 1, max: 7 }), anyGroups)
  .map(([start, kept, rest]) => {
    const { parts } = IPv6.parse(start)
    return [...parts.slice(0, kept), ...rest.slice(kept)]
  })

const RUNS = { numRuns: 3000 }

describe('an address, compared with ipaddr.js', () => {
  it('is read as the same one, or by neither', () => {
    fc.assert(
      fc.property(nearly, text => {
        // ipaddr.js takes more: leading zeros, which others read as octal, longer groups, and `:` for no group.
        fc.pre(!/(?:^|[.:])0\d+\./.test(text) && !/[\da-f]{5}/.test(text))
        fc.pre(groupCount(text) < 8 || !/^:|::|:$/.test(text))
        const groups = ipv6Groups(text)
        const written = withoutIpv4(text)
        expect(groups, text).toEqual(IPv6.isValid(written) ? IPv6.parse(written).parts : null)
        const bytes = ipv4Bytes(text)
        const isIpv4 = IPv4.isValidFourPartDecimal(text) && IPv4.isValid(text)
        if (!/(?:^|\.)0\d/.test(text))
          expect(bytes, text).toEqual(isIpv4 ? IPv4.parse(text).octets : null)
      }),
      RUNS,
    )
  })

  it('of IPv6 that is not on the internet is private, written as a host or found for a name', () => {
    fc.assert(
      fc.property(fc.oneof(anyGroups, nearRange), parts => {
        const address = new IPv6(parts)
        const text = address.toString()
        const isInternet = address.match(IPv6.parse('2000::'), 3) && address.range() === 'unicast'
        if (!isInternet) expect(isPrivateHost(`[${text}]`), text).toBe(true)
        // DNS64 is the one exception: see the test of hosts.
        if (!isInternet && address.range() !== 'rfc6052')
          expect(isPrivateAddress(text), text).toBe(true)
        if (isInternet && !isListed(address)) expect(isPrivateHost(`[${text}]`), text).toBe(false)
      }),
      RUNS,
    )
  })

  it('of IPv4 that is not on the internet is private', () => {
    const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 })
    const inRange = fc
      .tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224), octets)
      .map(([first, rest]) => [first, ...rest.slice(1)])
    fc.assert(
      fc.property(fc.oneof(octets, inRange), bytes => {
        const address = new IPv4(bytes)
        if (address.range() !== 'unicast') expect(isPrivateHost(address.toString())).toBe(true)
        else if (!isListed(address)) expect(isPrivateHost(address.toString())).toBe(false)
      }),
      RUNS,
    )
  })
})

function groupCount(text: string): number {
  return withoutIpv4(text).split(':').filter(Boolean).length
}

/** Takes an IPv4 address at the end as two groups: ipaddr.js knows it behind some groups only. */
function withoutIpv4(text: string): string {
  const [found = ''] = /(?<=:)\d+\.\d+\.\d+\.\d+$/.exec(text) ?? []
  if (!IPv4.isValid(found)) return text
  const [a = 0, b = 0, c = 0, d = 0] = IPv4.parse(found).octets
  const groups = [a * 256 + b, c * 256 + d].map(each => each.toString(16)).join(':')
  return text.slice(0, -found.length) + groups
}

/** Ranges of the registry that ipaddr.js does not know, or has in part. */
function isListed(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof IPv4
    ? [
        '192.31.196.0/24',
        '192.52.193.0/24',
        '192.175.48.0/24',
        '168.63.129.16/32',
        '198.18.0.0/15',
      ].some(range => address.match(IPv4.parseCIDR(range)))
    : ['2001::/23', '2620:4f:8000::/48', '3fff::/20'].some(range =>
        address.match(IPv6.parseCIDR(range)),
      )
}
