import { describe, expect, it } from 'vitest'
import { randomHex } from './random-hex.ts'

describe('random bytes', () => {
  it.each([0, 1, 8, 32, 2047, 2048, 5000])('%i are as many as were asked for', bytes => {
    expect(randomHex(bytes)).toMatch(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
  })

  it('never come twice', () => {
    const all = Array.from({ length: 10_000 }, () => randomHex(16))
    expect(new Set(all).size).toBe(all.length)
  })

  it('have every value, in every place', () => {
    const seen = Array.from({ length: 4 }, () => new Set<string>())
    for (let turn = 0; turn < 20_000; turn++) {
      const hex = randomHex(4)
      for (const [at, values] of seen.entries()) values.add(hex.slice(at * 2, at * 2 + 2))
    }
    expect(seen.map(values => values.size)).toEqual([256, 256, 256, 256])
  })
})
