import { parseCookie, stringifySetCookie } from 'cookie'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COOKIES } from '../../../test/sessions/cookies.ts'
import { createTestAuth, Visitor } from '../../../test/visitor.ts'
import { parseCookies, serializeCookie } from './cookie-text.ts'
import { clearCookie, setCookie } from './cookies.ts'
import { TOKEN } from './read-cookies.ts'

const cookie = {
  name: 'a',
  options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true },
} as const

describe('writing a cookie', () => {
  it('puts the attributes in the order that everybody knows', () => {
    const options = {
      sameSite: 'lax',
      priority: 'high',
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date(0),
      path: '/',
      domain: 'example.com',
      maxAge: 60,
    } as const
    expect(serializeCookie({ name: 'a', value: 'b', options })).toBe(
      'a=b; Max-Age=60; Domain=example.com; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=Lax',
    )
  })

  it.each([
    [true, '; SameSite=Strict'],
    ['strict', '; SameSite=Strict'],
    ['lax', '; SameSite=Lax'],
    ['none', '; SameSite=None'],
    [false, ''],
  ] as const)('writes sameSite %j as %j', (sameSite, written) => {
    expect(serializeCookie({ name: 'a', value: 'b', options: { sameSite } })).toBe(`a=b${written}`)
  })

  it('writes nothing for what is not set', () => {
    const options = { httpOnly: false, secure: false, partitioned: false }
    expect(serializeCookie({ name: 'a', value: 'b', options })).toBe('a=b')
  })

  it('percent-encodes the value, or encodes it as the application wants', () => {
    expect(serializeCookie({ name: 'a', value: 'x|y z;é', options: {} })).toBe(
      'a=x%7Cy%20z%3B%C3%A9',
    )
    const encode = (value: string) => value.toUpperCase()
    expect(serializeCookie({ name: 'a', value: 'b', options: { encode } })).toBe('a=B')
  })

  it.each([
    ['name', { name: 'a;b', options: {} }],
    ['name', { name: '', options: {} }],
    ['name', { name: 'a\r\nb', options: {} }],
    ['path', { name: 'a', options: { path: '/; Domain=evil.example' } }],
    ['domain', { name: 'a', options: { domain: 'x\r\ny' } }],
    ['maxAge', { name: 'a', options: { maxAge: 1.5 } }],
    ['expires', { name: 'a', options: { expires: new Date(Number.NaN) } }],
    ['value', { name: 'a', options: { encode: () => 'x; Path=/evil' } }],
  ])('throws rather than let %s end the cookie', (what, { name, options }) => {
    expect(() => serializeCookie({ name, value: 'b', options })).toThrow(what)
  })

  it('never lets a value out of its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), value => {
        const line = serializeCookie({ ...cookie, value })
        expect(line.split('; ').slice(1)).toEqual(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
        expect(line).toMatch(/^[\x21-\x7e ]*$/)
        expect(parseCookies(line.split('; ')[0])['a']).toBe(value)
      }),
    )
  })
})

describe('the package that is made for cookies', () => {
  const attributes = fc.record(
    {
      domain: fc.constantFrom('example.com', '.example.com', 'a-b.example', 'localhost'),
      expires: fc.date({ noInvalidDate: true, max: new Date(4e12) }),
      httpOnly: fc.boolean(),
      maxAge: fc.integer(),
      partitioned: fc.boolean(),
      path: fc.constantFrom('', '/', '/a b', '/a=b'),
      priority: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
      sameSite: fc.constantFrom(true, false, 'lax' as const, 'strict' as const, 'none' as const),
      secure: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  it('writes the same', () => {
    fc.assert(
      fc.property(fc.string(), attributes, (value, options) => {
        const theirs = stringifySetCookie({ ...options, name: 'a', value })
        expect(serializeCookie({ name: 'a', value, options })).toBe(theirs)
      }),
    )
  })

  it('reads the same, but for names that are not tokens', () => {
    const piece = fc.constantFrom('a', 'b', '=', ';', ' ', '\t', '"', '%20', '%', '%zz', ',', 'é')
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const header = `x=1;${pieces.join('')}`
        const theirs = Object.entries(parseCookie(header)).filter(([name]) => TOKEN.test(name))
        expect({ ...parseCookies(header) }).toEqual(Object.fromEntries(theirs))
      }),
    )
  })
})

describe('setting and removing a cookie', () => {
  it('sets it with its own attributes, over which others may be laid', () => {
    expect(setCookie(cookie, 'v')).toEqual({ name: 'a', value: 'v', options: cookie.options })
    expect(setCookie(cookie, 'v', { maxAge: 5, path: '/x' })).toEqual({
      name: 'a',
      value: 'v',
      options: { ...cookie.options, maxAge: 5, path: '/x' },
    })
  })

  it('removes it with all the attributes it was set with, and at once', () => {
    const shared = { ...cookie, options: { ...cookie.options, domain: 'example.com', maxAge: 900 } }
    expect(serializeCookie(clearCookie(shared))).toBe(
      'a=; Max-Age=0; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
    expect(clearCookie(cookie, 'a.1').name).toBe('a.1')
  })
})

describe('reading cookies', () => {
  it.each([null, undefined, ''])('reads none from %j', header => {
    expect({ ...parseCookies(header) }).toEqual({})
  })

  it('decodes values, and keeps those whose encoding is broken', () => {
    expect({ ...parseCookies('a=1%7C2; b=%; c=%ZZ; d="q"') }).toEqual({
      a: '1|2',
      b: '%',
      c: '%ZZ',
      d: '"q"',
    })
  })

  it('takes the first of several with one name', () => {
    expect(parseCookies('a=1; a=2')['a']).toBe('1')
  })

  it('tells names apart by case', () => {
    expect({ ...parseCookies('__HOST-a=1; __Host-A=2') }).toEqual({
      '__HOST-a': '1',
      '__Host-A': '2',
    })
  })

  it('knows nothing that was not sent', () => {
    for (const jar of [parseCookies('a=1'), parseCookies('')]) {
      for (const name of ['constructor', '__proto__', 'toString']) expect(jar[name]).toBeUndefined()
    }
    const polluted = parseCookies('__proto__=x; constructor=y')
    expect(polluted['constructor']).toBe('y')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('reads several Cookie headers, as HTTP/2 may send them', () => {
    const headers = new Headers([
      ['cookie', 'a=1'],
      ['cookie', 'b=2; c=3'],
    ])
    expect({ ...parseCookies(headers.get('cookie')) }).toEqual({ a: '1', b: '2', c: '3' })
  })

  it.each(['=', ';', ' ', '"', 'a=;', '=;', ';=', '\t;'])(
    'is not slowed down by 64 kB of %j',
    piece => {
      const header = piece.repeat(65_536 / piece.length)
      const started = performance.now()
      parseCookies(header)
      expect(performance.now() - started).toBeLessThan(500)
    },
  )
})

const NAMES = Object.values(COOKIES).map(({ name }) => name)

/** The prefix that a cookie without one would have over https. */
function prefixOf(name: string): string | undefined {
  return ['__Host-', '__Secure-'].find(prefix => NAMES.includes(`${prefix}${name}`))
}

// RFC 6265bis: what every cookie must be that a browser is sent.
describe.each([
  ['https', 'https://app.example.com/auth', true],
  ['http', 'http://localhost:3000/auth', false],
])('every cookie of a visit over %s', (_scheme, base, secure) => {
  async function visit(): Promise<string[]> {
    const lines: string[] = []
    const auth = createTestAuth({
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: () => ({ id: '1', name: 'Ann "é; Path=/" \r\n', image: 'x'.repeat(9000) }),
        },
      ],
    })
    const visitor = new Visitor(async request => {
      const response = await auth.handle(request)
      const set = response.headers.getSetCookie()
      const names = set.map(line => line.slice(0, line.indexOf('=')))
      expect(new Set(names).size).toBe(names.length) // CK-05: none twice in one answer
      lines.push(...set)
      return response
    }, base)
    await visitor.get('/signin?callbackUrl=/%0d%0aSet-Cookie:x=y')
    await visitor.post('/callback/credentials', { callbackUrl: '/a;b' })
    await visitor.postJson('/session', { data: {} })
    await visitor.post('/signout')
    return lines
  }

  it('has a proper name, an ASCII value and no attribute twice', async () => {
    const lines = await visit()
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) {
      expect(line).toMatch(
        /^[!#$%&'*+\-.^_`|~\dA-Za-z]+=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*(; |$)/,
      )
      const attributes = line
        .split('; ')
        .slice(1)
        .map(each => each.split('=')[0]?.toLowerCase())
      expect(new Set(attributes).size).toBe(attributes.length)
      expect(line).toMatch(/^[\x20-\x7e]*$/)
    }
  })

  it('is not for scripts, nor for other sites', async () => {
    for (const line of await visit()) {
      // The one that scripts are meant to read tells them nothing.
      const isMarker = /^[\w-]*siteauth\.changed=[0-9a-f]{16};/.test(line)
      expect(line.includes('; HttpOnly')).toBe(!isMarker)
      expect(line).toContain('; SameSite=Lax')
      expect(line).toMatch(/; Path=\/(;|$)/)
      expect(line).not.toContain('Domain=')
      expect(line.includes('; Secure')).toBe(secure)
    }
  })

  it('keeps what its prefix promises', async () => {
    for (const line of await visit()) {
      expect(/^__(Secure|Host)-/.test(line)).toBe(secure)
      // One of several parts has a number behind the name of its cookie.
      const name = line.slice(0, line.indexOf('=')).replace(/\.\d+$/, '')
      expect(NAMES).toContain(secure ? name : `${prefixOf(name)}${name}`)
    }
  })

  it('is of a size and an age that browsers accept', async () => {
    for (const line of await visit()) {
      expect(line.split('; ')[0]?.length).toBeLessThanOrEqual(4096)
      const [, date] = /Expires=([^;]+)/.exec(line) ?? []
      if (date) {
        expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
        expect(Date.parse(date) - Date.now()).toBeLessThan(400 * 24 * 60 * 60 * 1000)
      }
    }
  })
})
