import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CookieOption, SetCookie } from './cookies.ts'
import { findSession } from './find-session-cookie.ts'
import { clearSession, storeSession } from './write-session-cookie.ts'

const cookie: CookieOption = { name: 's', options: { httpOnly: true, path: '/', sameSite: 'lax' } }
const expires = new Date(Date.UTC(2030, 0, 1))

/** What a browser would send back, in the order in which it was set. */
function headerOf(cookies: readonly SetCookie[]): string {
  return cookies
    .filter(({ options }) => options.maxAge !== 0)
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
}

function lengths(cookies: readonly SetCookie[]): readonly (readonly [string, number])[] {
  return cookies.map(({ name, value }) => [name, value.length])
}

describe('storing a session token', () => {
  it.each([
    ['a short one', 5, ['s', 5]],
    ['the longest that fits', 3936, ['s', 3936]],
  ])('puts %s into one cookie', (_what, length, written) => {
    expect(lengths(storeSession(cookie, { token: 'x'.repeat(length), expires }, []))).toEqual([
      written,
    ])
  })

  it('splits one that is a character too long in two', () => {
    expect(lengths(storeSession(cookie, { token: 'x'.repeat(3937), expires }, []))).toEqual([
      ['s.0', 3936],
      ['s.1', 1],
    ])
  })

  it('removes the single cookie where chunks take its place', () => {
    const stored = storeSession(cookie, { token: 'x'.repeat(8000), expires }, ['s'])
    expect(lengths(stored)).toEqual([
      ['s', 0],
      ['s.0', 3936],
      ['s.1', 3936],
      ['s.2', 128],
    ])
    expect(stored.map(({ options }) => options.maxAge)).toEqual([
      0,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('removes the chunks where a single cookie takes their place, or fewer chunks do', () => {
    const arrived = ['s.0', 's.1', 's.10', 's.2']
    expect(lengths(storeSession(cookie, { token: '12345', expires }, arrived))).toEqual([
      ['s.0', 0],
      ['s.1', 0],
      ['s.10', 0],
      ['s.2', 0],
      ['s', 5],
    ])
    expect(lengths(storeSession(cookie, { token: 'x'.repeat(4000), expires }, arrived))).toEqual([
      ['s.10', 0],
      ['s.2', 0],
      ['s.0', 3936],
      ['s.1', 64],
    ])
  })

  it('sends the attributes of the cookie, and the end of the session', () => {
    expect(storeSession(cookie, { token: 'abc', expires }, ['s.7'])).toEqual([
      { name: 's.7', value: '', options: { ...cookie.options, maxAge: 0 } },
      { name: 's', value: 'abc', options: { ...cookie.options, expires } },
    ])
  })

  it('never sets a cookie twice in one answer, nor one that browsers would refuse', () => {
    const arrived = fc.uniqueArray(fc.constantFrom('s', 's.0', 's.1', 's.2', 's.3', 's.9', 's.10'))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), arrived, (length, names) => {
        const stored = storeSession(cookie, { token: 'x'.repeat(length), expires }, names)
        const all = stored.map(({ name }) => name)
        expect(new Set(all).size).toBe(all.length)
        for (const { name, value } of stored) expect(name.length + value.length).toBeLessThan(4096)
      }),
    )
  })
})

describe('removing a session token', () => {
  it('removes exactly the cookies that came, with the attributes they were set with', () => {
    expect(clearSession(cookie, ['s.1', 's'])).toEqual([
      { name: 's.1', value: '', options: { ...cookie.options, maxAge: 0 } },
      { name: 's', value: '', options: { ...cookie.options, maxAge: 0 } },
    ])
    expect(clearSession(cookie, [])).toEqual([])
  })
})

describe('finding a session token', () => {
  it.each([
    null,
    undefined,
    '',
    ' ',
    ';',
    '=',
    's',
    's;',
    's=',
    's=;',
    's= ',
    'a=b',
    'S=x',
    'ss=x',
  ])('finds none in %j', header => {
    expect(findSession(header, 's')).toBeNull()
  })

  it('finds it among others, wherever it stands', () => {
    for (const header of [
      's=abc',
      's=abc; a=b',
      'a=b; s=abc',
      'a=b;s=abc;c=d',
      'a=b; \t s=abc ; c=d',
    ]) {
      expect(findSession(header, 's')).toEqual({ token: 'abc', names: ['s'] })
    }
  })

  it('joins chunks by their number, not by their order', () => {
    expect(findSession('s.0=a; s.1=b; s.2=c', 's')?.token).toBe('abc')
    expect(findSession('s.2=c; s.1=b; s.0=a', 's')?.token).toBe('abc')
  })

  it('leaves out what stands after a gap, and remembers it for removal', () => {
    expect(findSession('s.0=a; s.1=b; s.10=d; s.2=c', 's')).toEqual({
      token: 'abc',
      names: ['s.0', 's.1', 's.10', 's.2'],
    })
  })

  it('takes the single cookie where both came, and remembers the chunks for removal', () => {
    for (const header of ['s=ABC; s.0=x; s.1=y', 's.0=x; s=ABC; s.1=y', 's.0=x; s.1=y; s=ABC']) {
      const found = findSession(header, 's')
      expect(found?.token).toBe('ABC')
      expect([...(found?.names ?? [])].sort()).toEqual(['s', 's.0', 's.1'])
    }
  })

  it('takes the first of several with one name', () => {
    expect(findSession('s=first; s=second', 's')).toEqual({ token: 'first', names: ['s'] })
    expect(findSession('s.0=a; s.0=z; s.1=b', 's')).toEqual({ token: 'ab', names: ['s.0', 's.1'] })
    expect(findSession('s=; s=second', 's')).toEqual({ token: 'second', names: ['s'] })
  })

  it('decodes percent-encoding, and keeps it where it is broken', () => {
    expect(findSession('s=a%7Cb', 's')?.token).toBe('a|b')
    for (const broken of ['%', '%A', '%ZZ', 'a%E0%A4']) {
      expect(findSession(`s=${broken}`, 's')?.token).toBe(broken)
    }
  })

  it('keeps an equals sign in a value', () => {
    expect(findSession('s=a=b==', 's')?.token).toBe('a=b==')
  })

  it.each([
    's-x=1',
    's.x=1',
    's.=1',
    's.0.1=1',
    's.00=1',
    's.01=1',
    's.-1=1',
    's.1e1=1',
    's.0x1=1',
    's. 0=1',
    's.16=1',
    's.1000=1',
    's.٣=1',
    's 0=1',
    's .0=1',
    'S.0=1',
    'xs=1',
    'x.s=1',
    'x-s.0=1',
    '__Host-s=1',
    's[0]=1',
    'a=", s.0=1"',
    'a=s=1',
    'a=s.0=1',
    'a=b s=1',
    'a=b,s=1',
    's\u00a0=1',
    '\u00a0s=1',
    's',
  ])('passes over %j, which only looks like it', other => {
    expect(findSession(other, 's')).toBeNull()
    expect(findSession(`${other}; s.0=a; s.1=b`, 's')?.token).toBe('ab')
    expect(findSession(`s=a; ${other}`, 's')).toEqual({ token: 'a', names: ['s'] })
  })

  it('finds what was stored, whatever else the browser sends and in whatever order', () => {
    const name = fc.constantFrom('s', '__Secure-authjs.session-token', 'a.b')
    const token = fc
      .tuple(fc.integer({ min: 1, max: 12_000 }), fc.string({ minLength: 1, maxLength: 20 }))
      .map(([length, text]) => text.repeat(Math.ceil(length / text.length)).slice(0, length))
    const character = fc.constantFrom(...'abs.019_-!$%&*+^|~'.split(''))
    const other = fc.tuple(
      fc.oneof(
        fc.string({ unit: character, maxLength: 8 }),
        fc.constantFrom('s-x', 's.x', 'ss', 's.0.0', 's.00', 'authjs.session-token', 'A.B'),
      ),
      fc.string({ unit: fc.constantFrom(...'abs.0= %"[],'.split('')), maxLength: 12 }),
    )
    fc.assert(
      fc.property(name, token, fc.array(other), fc.nat(), (own, value, others, seed) => {
        const isOwn = (each: string) =>
          each === own ||
          (each.startsWith(`${own}.`) && /^(0|[1-9]\d{0,2})$/.test(each.slice(own.length + 1)))
        const strangers = others.filter(([each]) => !isOwn(each))
        const stored = storeSession({ ...cookie, name: own }, { token: value, expires }, [])
        const pairs = [
          ...headerOf(stored).split('; '),
          ...strangers.map(([each, text]) => `${each}=${text}`),
        ]
        const shuffled = pairs
          .map((pair, index) => ({ pair, at: (index * 7919 + seed) % (pairs.length + 1) }))
          .sort((left, right) => left.at - right.at)
          .map(({ pair }) => pair)
        const found = findSession(shuffled.join('; '), own)
        expect(found?.token).toBe(value)
        expect([...(found?.names ?? [])].sort()).toEqual(stored.map(each => each.name).sort())
      }),
    )
  })

  it('finds it among 300 cookies', () => {
    const others = Array.from({ length: 300 }, (_, n) => `s-${n}=${'x'.repeat(50)}`)
    others.splice(150, 0, 's=abc')
    expect(findSession(others.join('; '), 's')).toEqual({ token: 'abc', names: ['s'] })
  })

  it.each([
    ['equals signs', '='],
    ['semicolons', ';'],
    ['blanks', ' '],
    ['tabs', '\t'],
    ['quotes', '"'],
    ['its own name', 's'],
    ['its own name and a dot', 's.'],
    ['its own name without a value', 's;'],
    ['its own name with empty values', 's=;'],
    ['its own name after blanks', '   s'],
    ['chunks without an end', 's.0=x;'],
    ['percent signs', 's=%;'],
  ])('copes with 64 kB of %s', (_what, piece) => {
    const header = piece.repeat(Math.ceil(65_536 / piece.length))
    expect(() => findSession(header, 's')).not.toThrow()
    expect(() => findSession(`${header}; s=abc`, 's')).not.toThrow()
  })

  it('looks at sixteen of a thousand chunks', () => {
    const header = Array.from({ length: 1000 }, (_, n) => `s.${n}=${'x'.repeat(60)}`).join('; ')
    expect(findSession(header, 's')?.token).toHaveLength(16 * 60)
  })
})
