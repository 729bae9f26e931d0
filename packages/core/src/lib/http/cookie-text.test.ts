import { describe, expect, it } from 'vitest'
import { changedCookies, cookiesAfter, serializeCookie } from './cookie-text.ts'
import type { CookieAttributes } from './cookies.ts'

const written = (options: CookieAttributes) => serializeCookie({ name: 'a', value: 'v', options })

describe('an attribute', () => {
  it.each<[CookieAttributes, string]>([
    [{ domain: 'a' }, 'Domain=a'],
    [{ domain: '.example.com' }, 'Domain=.example.com'],
    [{ domain: 'a-b.c-d.example' }, 'Domain=a-b.c-d.example'],
    [{ domain: 'A1.b2.example' }, 'Domain=A1.b2.example'],
    [{ domain: '1.example' }, 'Domain=1.example'],
    [{ domain: 'app.x.example' }, 'Domain=app.x.example'],
    [{ path: '/a b' }, 'Path=/a b'],
    [{ priority: 'HIGH' as 'high' }, 'Priority=High'],
    [{ sameSite: 'STRICT' as 'strict' }, 'SameSite=Strict'],
    [{ sameSite: true }, 'SameSite=Strict'],
    [{ maxAge: -10 }, 'Max-Age=-10'],
  ])('is written as it should be: %j', (options, text) => {
    expect(written(options)).toBe(`a=v; ${text}`)
  })

  it.each<[keyof CookieAttributes, unknown]>([
    ['domain', '-a.example'],
    ['domain', 'a-.example'],
    ['domain', 'a.-b'],
    ['domain', 'a.b-'],
    ['domain', 'a..b'],
    ['domain', 'a_b.example'],
    ['domain', 'a.b_c'],
    ['domain', '-'],
    ['domain', 'a.-'],
    ['domain', 'ab_'],
    ['domain', 'a.bc_'],
    ['domain', 'a;b'],
    ['path', '/;Domain=evil.example'],
    ['path', '/\r'],
    ['maxAge', 1.5],
    ['priority', 'xhigh'],
    ['priority', 'highx'],
    ['sameSite', 'xlax'],
    ['sameSite', 'laxx'],
  ])('is an error that names it: %s %j', (name, value) => {
    expect(() => written({ [name]: value })).toThrow(`the ${name} of a cookie is invalid`)
  })

  it('of a cookie whose name or value is invalid is an error, too', () => {
    const options = {}
    expect(() => serializeCookie({ name: 'a;b', value: 'v', options })).toThrow('the name of a')
    const encode = () => 'x;y'
    expect(() => serializeCookie({ name: 'a', value: 'v', options: { encode } })).toThrow(
      'the value of a cookie is invalid',
    )
  })
})

describe('the next Cookie header', () => {
  it('keeps the other cookies of a request, byte for byte', () => {
    const set = [{ name: 's', value: 'new', options: {} }]
    expect(changedCookies('a="x y"; s=old; b=%zz;  c=1;', set)).toBe('a="x y"; b=%zz; c=1; s=new')
    expect(changedCookies('a=1', [])).toBe('a=1')
    expect(changedCookies(null, set)).toBe('s=new')
    expect(changedCookies('nameless; =x; s=1', set)).toBe('nameless; =x; s=new')
  })

  const NOW = Date.UTC(2030, 0, 1)
  const at = (time: number) => new Date(time).toUTCString()

  it.each([
    ['Max-Age=0', ''],
    ['Max-Age=00', ''],
    ['Max-Age=-1', ''],
    ['Max-Age=-12', ''],
    ['max-age =  0 ', ''],
    ['Max-Age=1', 's=1'],
    ['Max-Age=10', 's=1'],
    ['Max-Age=0x', 's=1'],
    ['Max-Age=x0', 's=1'],
    ['Max-Age', 's=1'],
    [`Expires=${at(NOW)}`, ''],
    [`Expires=${at(NOW - 1000)}`, ''],
    [`Expires=${at(NOW + 1000)}`, 's=1'],
    ['Expires=never', 's=1'],
    [`Expires=${at(0)}; Max-Age=10`, 's=1'],
    ['Max-Age=0; Max-Age=10', 's=1'],
    ['Path=/', 's=1'],
  ])('after one with %s has %j', (attributes, header) => {
    expect(cookiesAfter('', [`s=1; ${attributes}`], NOW)).toBe(header)
    expect(cookiesAfter('a=2', [`s=1; ${attributes}`], NOW)).toBe(
      ['a=2', header].filter(Boolean).join('; '),
    )
  })
})
