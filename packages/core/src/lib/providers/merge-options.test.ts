import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeOptions } from './merge-options.ts'
import { customFetch } from './oauth.ts'

describe("laying an application's options over a provider", () => {
  it('merges objects, however deep', () => {
    const base = { a: { b: { c: 1, d: 2 } }, e: 3 }
    expect(mergeOptions(base, { a: { b: { d: 4, f: 5 } } })).toEqual({
      a: { b: { c: 1, d: 4, f: 5 } },
      e: 3,
    })
  })

  it('replaces texts, numbers and booleans', () => {
    const base = { text: 'a', number: 1, flag: true }
    const over = { text: 'b', number: 0, flag: false }
    expect(mergeOptions(base, over)).toEqual(over)
  })

  it('replaces arrays as a whole', () => {
    expect(mergeOptions({ checks: ['pkce', 'state'] }, { checks: ['none'] })).toEqual({
      checks: ['none'],
    })
    expect(mergeOptions({ checks: ['pkce'] }, { checks: [] })).toEqual({ checks: [] })
  })

  it('lets undefined stand for nothing said, and null for null', () => {
    expect(mergeOptions({ a: 1, b: 2 }, { a: undefined, b: null })).toEqual({ a: 1, b: null })
  })

  it('lets an object replace a text, and a text an object', () => {
    expect(mergeOptions({ token: 'https://x' }, { token: { url: 'y' } })).toEqual({
      token: { url: 'y' },
    })
    expect(mergeOptions({ token: { url: 'y' } }, { token: 'https://x' })).toEqual({
      token: 'https://x',
    })
  })

  it('lets nothing be said at all', () => {
    expect(mergeOptions({ a: 1 }, undefined)).toEqual({ a: 1 })
    expect(mergeOptions({ a: 1 }, {})).toEqual({ a: 1 })
  })

  it('keeps functions', () => {
    const profile = () => 'mine'
    expect(mergeOptions({ profile: () => 'theirs' }, { profile }).profile).toBe(profile)
  })

  it('keeps what is keyed by a symbol', () => {
    const own = () => Promise.reject(new Error('never called'))
    expect(mergeOptions({ id: 'x' }, { [customFetch]: own })).toEqual({
      id: 'x',
      [customFetch]: own,
    })
    expect(mergeOptions({ [customFetch]: own }, {})[customFetch]).toBe(own)
  })

  it('keeps instances as they are: keys, dates, URLs, transports', async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
    ])
    class Transport {
      readonly #hidden = 1
      send(): number {
        return this.#hidden
      }
    }
    const over = {
      key,
      date: new Date(0),
      url: new URL('https://x.example'),
      server: new Transport(),
      map: new Map([[1, 2]]),
      pattern: /x/,
    }
    const merged = mergeOptions({ server: { host: 'x' }, url: { href: 'y' } } as object, over)
    expect(merged).toEqual(over)
    for (const name of Object.keys(over)) {
      expect(Reflect.get(merged, name)).toBe(Reflect.get(over, name))
    }
    expect(over.server.send()).toBe(1)
  })

  it('changes neither of the two', () => {
    const base = Object.freeze({ a: Object.freeze({ b: 1 }) })
    const over = Object.freeze({ a: Object.freeze({ c: 2 }) })
    const merged = mergeOptions(base, over)
    expect(merged).toEqual({ a: { b: 1, c: 2 } })
    expect(Object.isFrozen(merged.a)).toBe(false)
    expect(base).toEqual({ a: { b: 1 } })
    expect(over).toEqual({ a: { c: 2 } })
  })

  it.each([
    '{"__proto__":{"polluted":true}}',
    '{"a":{"__proto__":{"polluted":true}}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"a":{"constructor":{"prototype":{"polluted":true}}}}',
  ])('changes nothing that other objects inherit: %s', text => {
    const merged = mergeOptions({ a: { b: 1 } }, JSON.parse(text))
    const fresh: Record<string, unknown> = {}
    expect(fresh['polluted']).toBeUndefined()
    expect(Reflect.get(merged, 'polluted')).toBeUndefined()
    expect(Reflect.get(merged.a, 'polluted')).toBeUndefined()
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  })

  it('takes objects without a prototype for plain ones', () => {
    const over = Object.assign(Object.create(null), { a: { c: 2 } })
    expect(mergeOptions({ a: { b: 1 } }, over)).toEqual({ a: { b: 1, c: 2 } })
  })

  it('gives everything that was said, whatever it is', () => {
    const options = fc.dictionary(
      fc.string().filter(key => key !== '__proto__'),
      fc
        .jsonValue({ maxDepth: 3 })
        .map(value => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'p'))),
    )
    fc.assert(
      fc.property(options, over => {
        expect(mergeOptions({}, over)).toEqual({ ...over })
        expect(mergeOptions(mergeOptions({}, over), over)).toEqual({ ...over })
      }),
    )
  })
})
