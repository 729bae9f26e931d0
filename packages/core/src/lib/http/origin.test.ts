import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HostTrust, resolveOrigin } from './origin.ts'
import { isSecure, type RequestAddress } from './request-headers.ts'

const HERE = 'https://app.example.com'

function requestTo(
  headers: Readonly<Record<string, string>>,
  url: string = 'http://10.0.0.7:3000',
): RequestAddress {
  const { protocol, host } = new URL(url)
  return { header: name => headers[name], protocol, host }
}

function originFor(
  headers: Readonly<Record<string, string>>,
  trust: HostTrust = true,
  url?: string,
): string | undefined {
  return resolveOrigin(undefined, trust, requestTo(headers, url)).origin
}

// HOST-SET of the advisories: what must never become part of a link.
const badHosts = [
  '/',
  'a b',
  '[::1',
  '::1]',
  'x:99999',
  'x:',
  'x:y',
  'x:-1',
  '%00',
  'a%00b',
  'a@b',
  'evil.com:fake@app.example.com',
  'app.example.com/path?',
  'app.example.com#x',
  'app.example.com\\x',
  'app.example.com?x',
  'https://app.example.com',
  'javascript:alert(1)',
  'app.example.com.',
  '.app.example.com',
  '-app.example.com',
  'аpp.example.com',
  '<script>',
  '"',
  "'",
  'a\r\nb',
  'a\tb',
  `${'a'.repeat(300)}.com`,
  '*',
  '*.example.com',
  '[not-ipv6]',
  '[::g]',
  '256.256.256.256',
]
const evil = 'evil.example'

describe('a configured URL', () => {
  it.each([true, false, [evil], []])('always wins, with trust %j', trust => {
    const headers = {
      host: evil,
      'x-forwarded-host': evil,
      'x-forwarded-proto': 'http',
      'x-forwarded-port': '1234',
      forwarded: `host=${evil};proto=http`,
    }
    expect(resolveOrigin(HERE, trust, requestTo(headers))).toEqual({ origin: HERE })
    expect(isSecure(HERE, requestTo(headers))).toBe(true)
    expect(isSecure('http://localhost:3000', requestTo({ 'x-forwarded-proto': 'https' }))).toBe(
      false,
    )
  })

  it('wins over what is no host at all', () => {
    for (const host of badHosts) {
      expect(resolveOrigin(HERE, true, requestTo({ 'x-forwarded-host': host })).origin).toBe(HERE)
    }
  })
})

it.each(
  badHosts.filter(
    host => !['app.example.com.', '.app.example.com', '-app.example.com'].includes(host),
  ),
)('a Host header %j is never believed, whatever is configured', host => {
  for (const configured of [undefined, HERE]) {
    const { origin, untrusted } = resolveOrigin(configured, true, requestTo({ host }))
    expect([origin, untrusted]).toEqual([undefined, host])
  }
})

describe('with every host trusted', () => {
  it('the proxy is believed first, then the host header, then the URL', () => {
    const url = 'http://10.0.0.7:3000'
    expect(originFor({ host: 'b.example', 'x-forwarded-host': 'a.example' })).toBe(
      'http://a.example',
    )
    expect(originFor({ host: 'b.example' })).toBe('http://b.example')
    expect(originFor({}, true, url)).toBe(url)
  })

  it('the protocol is what the proxy says, or else that of the URL', () => {
    const host = 'app.example.com'
    expect(originFor({ host, 'x-forwarded-proto': 'https' })).toBe(HERE)
    expect(originFor({ host, 'x-forwarded-proto': 'https:' })).toBe(HERE)
    expect(originFor({ host, 'x-forwarded-proto': 'HTTPS' })).toBe(HERE)
    expect(originFor({ host, 'x-forwarded-proto': 'http' }, true, HERE)).toBe(HERE)
    expect(originFor({ host, 'x-forwarded-proto': 'http' })).toBe('http://app.example.com')
    expect(originFor({ host }, true, HERE)).toBe(HERE)
  })

  it.each(['javascript', 'https:evil.com/?', 'ftp', '', ' ', ',', 'ws'])(
    'the protocol %j is passed over',
    proto => {
      expect(originFor({ host: 'a.example', 'x-forwarded-proto': proto })).toBe('http://a.example')
    },
  )

  it('a list of protocols is https if one of them is', () => {
    const host = 'a.example'
    expect(originFor({ host, 'x-forwarded-proto': 'https, http' })).toBe('https://a.example')
    expect(originFor({ host, 'x-forwarded-proto': 'http,https' })).toBe('https://a.example')
    expect(originFor({ host, 'x-forwarded-proto': 'http, http' })).toBe('http://a.example')
  })

  it('the last host of a list counts, which is the one that the nearest proxy wrote', () => {
    expect(originFor({ 'x-forwarded-host': `${evil}, app.example.com` })).toBe(
      'http://app.example.com',
    )
    expect(originFor({ 'x-forwarded-host': `${evil},app.example.com,` })).toBe(
      'http://app.example.com',
    )
  })

  it.each(['', ' ', ',', ' , '])('an empty list of hosts (%j) says nothing', list => {
    expect(originFor({ host: 'b.example', 'x-forwarded-host': list })).toBe('http://b.example')
  })

  it.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['APP.Example.COM', 'http://app.example.com'],
    ['app.example.com:80', 'http://app.example.com'],
    ['app.example.com:8443', 'http://app.example.com:8443'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[::1]', 'http://[::1]'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[2001:DB8::1]', 'http://[2001:db8::1]'],
    ['my_service', 'http://my_service'],
    ['xn--mnchen-3ya.example', 'http://xn--mnchen-3ya.example'],
  ])('the host %s is understood', (host, origin) => {
    expect(originFor({ host })).toBe(origin)
    expect(originFor({ 'x-forwarded-host': host, host: evil })).toBe(origin)
  })

  it('the default port of HTTPS is left out', () => {
    expect(originFor({ host: 'app.example.com:443', 'x-forwarded-proto': 'https' })).toBe(HERE)
  })

  it.each(badHosts)('the host %j is refused, and named', host => {
    for (const header of ['host', 'x-forwarded-host']) {
      const answer = resolveOrigin(undefined, true, requestTo({ [header]: host }))
      expect(answer.origin).toBeUndefined()
      expect(answer.untrusted).toBe(host.trim())
    }
  })

  it('Forwarded and the other headers of proxies are not looked at', () => {
    const headers = {
      host: 'app.example.com',
      forwarded: `host=${evil};proto=https`,
      'x-forwarded-port': '1234',
      'x-forwarded-prefix': '/evil',
      'x-forwarded-server': evil,
      'x-original-host': evil,
      'x-host': evil,
    }
    expect(originFor(headers)).toBe('http://app.example.com')
  })

  it('whatever comes out is an origin and nothing more', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'a.:[]@/0\\% ,'.split('')) }),
    )
    fc.assert(
      fc.property(text, text, text, (host, forwarded, proto) => {
        const origin = originFor({
          host,
          'x-forwarded-host': forwarded,
          'x-forwarded-proto': proto,
        })
        if (origin !== undefined) {
          expect(origin).toMatch(/^https?:\/\/[^/?#@\\\s]+$/)
          expect(new URL(origin).origin).toBe(origin)
        }
      }),
    )
  })
})

describe('with no host trusted', () => {
  it('every request is refused, and its host is named', () => {
    expect(resolveOrigin(undefined, false, requestTo({ host: 'app.example.com' }))).toEqual({
      untrusted: 'app.example.com',
    })
    expect(resolveOrigin(undefined, false, requestTo({}))).toEqual({ untrusted: '10.0.0.7:3000' })
  })
})

describe('with a list of trusted hosts', () => {
  const list = ['app.example.com', 'localhost:3000', '*.preview.example', '[::1]:3000']

  it.each([
    'app.example.com',
    'APP.EXAMPLE.COM',
    'localhost:3000',
    'a.preview.example',
    '[::1]:3000',
  ])('%s is believed', host => {
    expect(originFor({ host }, list)).toBe(`http://${host.toLowerCase()}`)
    expect(originFor({ 'x-forwarded-host': host, host: 'internal' }, list)).toBe(
      `http://${host.toLowerCase()}`,
    )
  })

  it.each([
    evil,
    'preview.example',
    '.preview.example',
    'a.b.preview.example',
    'evilpreview.example',
    'a.preview.example.evil.example',
    'a.preview.example:8443',
    'app.example.com:8443',
    'app.example.com.evil.example',
    'x.app.example.com',
    'localhost',
    'evil.example/.preview.example',
    'evil.example@a.preview.example',
    'evil.example#.preview.example',
    'evil.example\\.preview.example',
    '*.preview.example',
    '',
  ])('%j is not', host => {
    expect(originFor({ host }, list)).toBeUndefined()
    expect(originFor({ 'x-forwarded-host': host }, list)).toBeUndefined()
  })

  it('a listed host is found wherever a proxy has put it, and no other is used', () => {
    const host = 'app.example.com'
    expect(originFor({ host, 'x-forwarded-host': evil }, list)).toBe(`http://${host}`)
    expect(originFor({ host: evil, 'x-forwarded-host': host }, list)).toBe(`http://${host}`)
    expect(originFor({ 'x-forwarded-host': `${host}, ${evil}` }, list)).toBe(`http://${host}`)
    expect(originFor({ 'x-forwarded-host': `${evil}, ${evil}` }, list)).toBeUndefined()
    expect(originFor({}, list, 'http://localhost:3000')).toBe('http://localhost:3000')
  })

  it('an empty list believes nobody', () => {
    expect(originFor({ host: 'app.example.com' }, [])).toBeUndefined()
  })
})

describe('whether a visitor came over HTTPS', () => {
  it.each([
    [{}, 'https://x/y', true],
    [{}, 'https:', true],
    [{}, 'http://x', false],
    [{}, '', false],
    [{ 'x-forwarded-proto': 'https' }, '', true],
    [{ 'x-forwarded-proto': 'https' }, 'http://x', true],
    [{ 'x-forwarded-proto': 'http' }, 'https://x', true],
    [{ 'x-forwarded-proto': 'http' }, 'http://x', false],
    [{ 'x-forwarded-proto': 'http,https' }, 'http://x', true],
    [{ 'x-forwarded-proto': 'https,http' }, 'http://x', true],
    [{ 'x-forwarded-proto': 'javascript' }, 'https://x', true],
  ])('with %j and %j is %j', (headers, protocol, secure) => {
    const header = (name: string) => (headers as Record<string, string>)[name]
    expect(isSecure(undefined, { header, protocol })).toBe(secure)
  })
})

describe('a loopback host', () => {
  const resolvedFrom = (peer: string) => {
    const sender = () => ({ address: undefined, hops: [peer], isForwarded: false })
    const request = { ...requestTo({ host: 'localhost:3000' }), sender }
    return resolveOrigin(undefined, 'loopback', request)
  }

  it('is believed from this machine', () => {
    expect(resolvedFrom('127.0.0.1')).toEqual({ origin: 'http://localhost:3000' })
  })

  it('is named if another machine sends it', () => {
    expect(resolvedFrom('192.0.2.7')).toEqual({ untrusted: 'localhost:3000' })
  })
})
