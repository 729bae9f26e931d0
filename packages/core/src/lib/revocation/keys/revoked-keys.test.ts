import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOf } from './revocation-keys.ts'
import { createRevokedKeys } from './revoked-keys.ts'

/** The keys of a log that was read. */
function openKeys(maxEntries?: number) {
  const keys = createRevokedKeys(maxEntries)
  keys.complete()
  return keys
}

const until = new Date(Date.UTC(2030, 0, 1))
const NOW = until.getTime()
/** As the id of a session is. */
const digits = (n: number) => n.toString(16).padStart(32, '0')
const tokenOf = (sid: string, user: string, gen: number) =>
  keysOf({ sub: user, siteauth: { sid, gen } }, null)

describe('keys of what was ended', () => {
  it('end what has them, and nothing else, in whatever order they come', () => {
    const name = fc.integer({ min: 0, max: 300 }).map(String)
    const revocation = fc.oneof(
      name.map(sid => ({ key: `s:${sid}`, generation: null, until })),
      fc
        .tuple(name, fc.integer({ min: 1, max: 5 }))
        .map(([user, generation]) => ({ key: `u:${user}`, generation, until })),
    )
    fc.assert(
      fc.property(fc.array(revocation, { maxLength: 400 }), revocations => {
        const ended = openKeys()
        for (const each of revocations) ended.add(each)
        for (let n = 0; n <= 300; n++) {
          const token = tokenOf(String(n), String(300 - n), n % 5)
          const expected = revocations.some(
            ({ key, generation }) =>
              key === `s:${n}` || (key === `u:${300 - n}` && (generation ?? 0) > n % 5),
          )
          expect(ended.has(token, NOW)).toBe(expected)
        }
      }),
      { numRuns: 50 },
    )
  })

  it.each([300, 1000, 3000])('are compared with few other sessions, if there are %i', size => {
    const ended = openKeys()
    for (let n = 0; n < size; n++) ended.add({ key: `s:${digits(n)}`, generation: null, until })
    const others = Array.from({ length: 2000 }, (_, n) => tokenOf(digits(size + n), `user ${n}`, 0))
    expect(others.filter(token => ended.mayHave(token)).length).toBeLessThan(300)
  })

  it('end what was found open before they came', () => {
    const ended = openKeys()
    ended.add({ key: 's:a', generation: null, until })
    const token = tokenOf('b', 'ann', 0)
    expect(ended.has(token, NOW)).toBe(false)
    ended.add({ key: 's:b', generation: null, until })
    expect(ended.has(token, NOW)).toBe(true)
  })

  it('that are not held may be in the store until all were read', () => {
    const ended = createRevokedKeys()
    ended.add({ key: 's:a', generation: null, until })
    expect(ended.has(tokenOf('a', 'ann', 0), NOW)).toBe(true)
    expect(ended.has(tokenOf('b', 'ann', 0), NOW)).toBeUndefined()
    ended.complete()
    expect(ended.has(tokenOf('b', 'ann', 0), NOW)).toBe(false)
  })

  it('beyond their number are only known to the store', () => {
    const ended = openKeys(2)
    for (const sid of ['a', 'b', 'c']) ended.add({ key: `s:${sid}`, generation: null, until })
    expect(ended.has(tokenOf('a', 'ann', 0), NOW)).toBe(true)
    expect(ended.has(tokenOf('c', 'ann', 0), NOW)).toBeUndefined()
  })

  it('stay with the store when those that were kept are forgotten before them', () => {
    const ended = openKeys(1)
    ended.add({ key: 's:a', generation: null, until })
    ended.add({ key: 's:b', generation: null, until: new Date(until.getTime() + 2000) })
    ended.forget(until.getTime() + 1000)
    expect(ended.has(tokenOf('b', 'ann', 0), NOW)).toBeUndefined()
  })

  it('are forgotten when nothing is left to end', () => {
    const ended = openKeys()
    ended.add({ key: 's:a', generation: null, until })
    ended.forget(until.getTime() + 1000)
    expect(ended.has(tokenOf('a', 'ann', 0), NOW)).toBe(false)
  })

  it('are with the store no longer when all that were not kept are forgotten', () => {
    const ended = openKeys(1)
    for (const sid of ['a', 'b']) ended.add({ key: `s:${sid}`, generation: null, until })
    ended.forget(until.getTime() + 1000)
    expect(ended.has(tokenOf('b', 'ann', 0), NOW)).toBe(false)
    ended.add({ key: 's:c', generation: null, until: new Date(until.getTime() + 5000) })
    expect(ended.has(tokenOf('c', 'ann', 0), NOW)).toBe(true)
  })

  it('are held by the hundred thousand: those that were added, and no others', () => {
    const ended = openKeys()
    const later = new Date(until.getTime() + 60_000)
    for (let n = 0; n < 200_000; n++) {
      ended.add({ key: `s:${digits(n)}`, generation: null, until: n % 2 ? until : later })
    }
    const has = (n: number) => ended.has(tokenOf(digits(n), 'ann', 0), NOW)
    const wrong = Array.from({ length: 400_000 }, (_, n) => n).filter(n => has(n) !== n < 200_000)
    expect(wrong).toEqual([])
    for (let poll = 0; poll < 20; poll++) ended.forget(until.getTime() + 1000)
    const kept = Array.from({ length: 200_000 }, (_, n) => n).filter(has)
    expect(kept).toHaveLength(100_000)
    expect(kept.every(n => n % 2 === 0)).toBe(true)
  })

  it('are forgotten a part at a time, with a turn for others in between', async () => {
    const ended = openKeys()
    for (let n = 0; n < 100_000; n++) {
      ended.add({ key: `s:${digits(n)}`, generation: null, until })
    }
    let turns = 0
    const counting = setInterval(() => turns++)
    await ended.forget(until.getTime() + 1000)
    await ended.forget(until.getTime() + 1000)
    clearInterval(counting)
    expect(turns).toBeGreaterThanOrEqual(2)
  })

  it('leave no trace in the filter when they are forgotten', async () => {
    const ended = openKeys()
    const live = 20_000
    let added = 0
    for (let day = 1; day <= 60; day++) {
      const ends = new Date(until.getTime() + (day + 10) * 1000)
      for (let n = 0; n < live / 10; n++) {
        ended.add({ key: `s:${digits(added++)}`, generation: null, until: ends })
      }
      for (let poll = 0; poll < 16; poll++) await ended.forget(until.getTime() + day * 1000)
    }
    const others = Array.from({ length: 5000 }, (_, n) =>
      tokenOf(`f${digits(n).slice(1)}`, `${n}`, 0),
    )
    const passed = others.filter(keys => ended.mayHave(keys))
    expect(passed.length / others.length).toBeLessThan(0.1)
    for (let n = added - live / 2; n < added; n++) {
      expect(ended.has(tokenOf(digits(n), 'ann', 0), NOW)).toBe(true)
    }
  })

  it('are returned as they were added, whatever their form', () => {
    const name = fc.oneof(
      fc.string({ unit: fc.constantFrom(...`0123456789abcdef`), minLength: 1 }),
      fc.stringMatching(/^[0-9a-f]{32}$/),
      fc.stringMatching(/^[0-9a-f]{32}\.[!-~]{1,30}$/),
      fc.stringMatching(/^[0-9A-F]{32}$/),
      fc.stringMatching(/^[!-~]{1,100}$/),
    )
    const kind = fc.constantFrom('s:', 't:', 'c:', 'u:', 'p:', 'x')
    const entry = fc.record({
      key: fc.tuple(kind, name).map(parts => parts.join('')),
      generation: fc.option(fc.integer({ min: 0, max: 2 ** 45 })),
      until: fc.constant(until),
    })
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ key }) => key }), entries => {
        const ended = openKeys()
        for (const each of entries) ended.add(each)
        const byKey = (one: { key: string }, other: { key: string }) =>
          one.key < other.key ? -1 : 1
        expect([...ended.held()].flat().toSorted(byKey)).toEqual(entries.toSorted(byKey))
      }),
    )
  })

  it('pass the filter in whatever form they are after it was made again', () => {
    const tag = `.${'A'.repeat(22)}`
    const forms = ['', tag, '.b', '.%0041%0041%0041']
    const ended = openKeys()
    const name = (n: number) => digits(n) + forms[n % forms.length]
    for (let n = 0; n < 5000; n++) ended.add({ key: `s:${name(n)}`, generation: null, until })
    const missing = Array.from({ length: 5000 }, (_, n) => n).filter(
      n => n % forms.length !== 3 && !ended.has(tokenOf(name(n), 'ann', 0), NOW),
    )
    expect(missing).toEqual([])
  })

  it.each([
    ['with blanks and letters of any alphabet', 'Ann Ä 漢'],
    ['with half a character', 'ann\ud800'],
    ['of any length', 'a'.repeat(2000)],
  ])('fit into every store: a name %s', (_what, id) => {
    const { session, user } = tokenOf(id, id, 0)
    for (const key of [session, user]) expect(key?.text).toMatch(/^[!-~]{1,255}$/)
  })
})
