import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedCookies, cookiesAfter, parseCookies, readSentCookies } from './cookie-text.ts'
import { cameTwice, otherTokens } from './duplicate-session-cookies.ts'
import { findSession } from './find-session-cookie.ts'
import { decodeValue, readCookies } from './read-cookies.ts'

const SESSION = '__Host-site.session'
const BYTES = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
/** More characters that String.prototype.trim removes. */
const OTHER_SPACES = ['\u1680', '\u2003', '\u2028', '\u202f', '\u3000', '\ufeff']

const PLACES = {
  before: (name: string, character: string) => `${character}${name}`,
  inside: (name: string, character: string) => `${name.slice(0, 9)}${character}${name.slice(9)}`,
  after: (name: string, character: string) => `${name}${character}`,
}
type Place = keyof typeof PLACES

/** Blanks, and what ends the pair or the name. Every other character makes it another name. */
const IGNORED: Record<Place, string> = { before: ' \t;', inside: '', after: ' \t=' }

describe.each([SESSION, `${SESSION}.0`])('a character beside the name %s', name => {
  describe.each(['before', 'inside', 'after'] as const)('%s it', place => {
    const headerWith = (character: string) => `a=1; ${PLACES[place](name, character)}=planted; b=2`

    function expectNameToCount(character: string, header: string) {
      const counts = IGNORED[place].includes(character)
      const what = `character ${character.charCodeAt(0).toString(16)}`
      expect(name in parseCookies(header), what).toBe(counts)
      expect(findSession(header, SESSION) !== null, what).toBe(counts)
      expect(otherTokens(header, SESSION, 'found').length > 0, what).toBe(counts)
      expect(cameTwice(`${header}; ${name}=real`, SESSION), what).toBe(counts)
      const pairs = header.split(';').map(pair => pair.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
      const others = counts ? ['a=1', 'b=2'] : pairs.filter(pair => pair !== '')
      const changed = changedCookies(header, [{ name, value: 'new', options: {} }])
      expect(changed, what).toBe([...others, `${name}=new`].join('; '))
    }

    it('is part of the name in a string', () => {
      for (const character of [...BYTES, ...OTHER_SPACES]) {
        expectNameToCount(character, headerWith(character))
      }
    })

    it('is part of the name in Headers of the web', () => {
      const read = BYTES.filter(character => {
        if ('\0\r\n'.includes(character)) return false
        const headers = new Headers({ cookie: headerWith(character) })
        expectNameToCount(character, headers.get('cookie') ?? '')
        return true
      })
      expect(read).toHaveLength(253)
    })

    describe('in a request to Node', () => {
      const server = createServer(({ headers }, response) => {
        response.end(encodeURIComponent(headers.cookie ?? ''))
      })
      beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')))
      afterAll(() => void server.close())

      it('is part of the name as Node parses it', async () => {
        let count = 0
        for (const character of BYTES) {
          const { port } = server.address() as AddressInfo // it listens on one
          const header = await sendRaw(port, headerWith(character))
          if (header === null) continue
          expectNameToCount(character, header)
          count += 1
        }
        // Node rejects control characters.
        expect(count).toBeGreaterThanOrEqual(256 - 33)
      })
    })
  })
})

/** Returns the header as Node reads it, or null if Node rejects the request. */
async function sendRaw(port: number, cookie: string): Promise<string | null> {
  const socket = connect(port, '127.0.0.1')
  const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`
  socket.end(Buffer.from(head, 'latin1'))
  let answer = ''
  for await (const chunk of socket.setEncoding('latin1')) answer += chunk
  if (!answer.startsWith('HTTP/1.1 200')) return null
  return decodeURIComponent(answer.split('\r\n\r\n')[1]?.split('\r\n').at(-1) ?? '')
}

describe('two cookies of one name', () => {
  it.each([
    'x=first; x=second',
    'x=same; x=same',
    'x=; x=second',
    'x=first; \tx = second',
    'x=1; x=2; x=3',
  ])('in %j: neither counts if it is a __Host- name', header => {
    for (const name of ['__Host-s', '__Host-s.0']) {
      const sent = `a=1; a=2; ${header.replaceAll('x', name)}`
      expect({ ...parseCookies(sent) }).toEqual({ a: '1' })
      expect(findSession(sent, '__Host-s')).toBeNull()
      expect(otherTokens(sent, '__Host-s', 'found')).toEqual([])
      expect(cameTwice(sent, '__Host-s')).toBe(true)
    }
  })

  it('leave the other cookies of that session alone', () => {
    const header = '__Host-s.0=a; __Host-s.1=b; __Host-s.1=planted; __Host-s=whole'
    expect(findSession(header, '__Host-s')).toEqual({
      token: 'whole',
      names: ['__Host-s.0', '__Host-s'],
    })
    expect(findSession('__Host-s.0=a; __Host-s.1=b; __Host-s.1=c', '__Host-s')?.token).toBe('a')
    expect(otherTokens(header, '__Host-s', 'found')).toEqual(['whole', 'a'])
  })

  it('are one where only one of them is named so', () => {
    const header = '__Host-s=real; \u00a0__Host-s=planted; __host-s=planted'
    expect(parseCookies(header)['__Host-s']).toBe('real')
    expect(findSession(header, '__Host-s')?.token).toBe('real')
    expect(cameTwice(header, '__Host-s')).toBe(false)
  })

  it('count from the first on by any other name', () => {
    const header = '__Secure-s=first; __Secure-s=second'
    expect(parseCookies(header)['__Secure-s']).toBe('first')
    expect(findSession(header, '__Secure-s')?.token).toBe('first')
    expect(otherTokens(header, '__Secure-s', 'first')).toEqual(['second'])
  })
})

describe('a changed Cookie header', () => {
  const change = (header: string, options = {}) =>
    changedCookies(header, [{ name: 's', value: 'new', options }])

  it('keeps all other cookies byte for byte', () => {
    const others = 'a="%zz"; flag; \u00a0s=1; s\u00a0=2; ü=\u00a0x\u00a0; =s=3; s t=4; ss; [s]=5'
    expect(change(others)).toBe(`${others}; s=new`)
    expect(change(`s=old; ${others}`)).toBe(`${others}; s=new`)
    expect(change(`${others};s =old;`, { maxAge: 0 })).toBe(others)
  })

  it('drops every cookie of the name, as all readers read it', () => {
    expect(change('s=1; \ts\t=2;s = 3; s==')).toBe('s=new')
    expect(change('s; s.0=1')).toBe('s; s.0=1; s=new')
  })
})

describe('reading by a prefix', () => {
  it.each(['', 'a', 'a.b'])('finds with %j what is found without', prefix => {
    const header = 'a=1;a.b=2; xa=3; \t a.bc = x=a ;;a; =a=1; a b=1; a=; a.b=%41%zz; b=a; a.b=%41'
    const all = readCookies(header)
    expect(all).toHaveLength(8)
    expect(readCookies(header, prefix)).toEqual(all.filter(({ name }) => name.startsWith(prefix)))
  })
})

describe('the cookies of a prefix', () => {
  it('are decoded, all of each name in their order, and those of other names are left out', () => {
    const header = 'try.1=a%20b; other=1; try.2=%zz; try.1=planted; retry.1=2'
    expect(readSentCookies(header, 'try.')).toEqual([
      { name: 'try.1', value: 'a b' },
      { name: 'try.2', value: '%zz' },
      { name: 'try.1', value: 'planted' },
    ])
    for (const empty of [null, undefined, '']) expect(readSentCookies(empty, 'try.')).toEqual([])
  })

  it('are none of two of one __Host- name', () => {
    const header = '__Host-try.1=a; __Host-try.2=b; __Host-try.1=c'
    expect(readSentCookies(header, '__Host-try.')).toEqual([{ name: '__Host-try.2', value: 'b' }])
  })
})

describe('the value of a cookie', () => {
  function decodeByCatching(value: string): string {
    try {
      return decodeURIComponent(value)
    } catch {
      return value
    }
  }

  it('is decoded as JavaScript does, and kept if it is broken', () => {
    const byte = fc
      .integer({ min: 0, max: 255 })
      .map(code => `%${code.toString(16).padStart(2, '0')}`)
    const valid = fc.string({ unit: 'grapheme' }).map(encodeURIComponent)
    const piece = fc.oneof(byte, valid, fc.constantFrom('a', '%', '%2', '%zz', '=', 'é', '%C3%A9'))
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const value = pieces.join('')
        expect(decodeValue(value)).toBe(decodeByCatching(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('is decoded as JavaScript does for every pair of bytes that begin a character', () => {
    const hex = (code: number) => `%${code.toString(16).padStart(2, '0')}`
    for (let first = 0x80; first < 0x100; first++) {
      for (let second = 0x70; second < 0xd0; second++) {
        for (const rest of ['', '%80', '%bf%bf', '%80%80%80']) {
          const value = hex(first) + hex(second) + rest
          expect(decodeValue(value)).toBe(decodeByCatching(value))
        }
      }
    }
  })
})

describe('the Cookie header after some responses', () => {
  const now = Date.parse('2026-01-01')

  it.each([
    ['a=1', ['b=2; Path=/; HttpOnly'], 'a=1; b=2'],
    ['a=1', ['a=2'], 'a=2'],
    ['a=1; b=2', ['a=; Max-Age=0; Path=/'], 'b=2'],
    ['a=1', ['a=x; max-age=-1'], ''],
    ['a=1', ['a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], ''],
    ['a=1', ['a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9'], 'a=x'],
    ['a=1', ['a=x; Expires=Thu, 01 Jan 2099 00:00:00 GMT'], 'a=x'],
    ['a=1', ['a=%3B%20b%3D2'], 'a=%3B%20b%3D2'],
    ['\u00a0a=1; flag', ['a=2'], '\u00a0a=1; flag; a=2'],
    [null, ['a=2'], 'a=2'],
  ])('is %j and %j: %j', (header, lines, after) => {
    expect(cookiesAfter(header, lines, now)).toBe(after)
  })
})
