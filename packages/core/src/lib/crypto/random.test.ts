import { describe, expect, it, vi } from 'vitest'
import { randomHex, uuidFrom } from './random.ts'

describe('random bytes', () => {
  it.each([0, 1, 8, 32, 5000])('%i are as many as were asked for', bytes => {
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

  it('are asked of the system each time, as none may be kept over a snapshot', () => {
    const asked = vi.spyOn(crypto, 'getRandomValues')
    randomHex(8)
    randomHex(8)
    expect(asked.mock.calls.map(([bytes]) => bytes?.byteLength)).toEqual([8, 8])
    asked.mockRestore()
  })
})

describe('a UUID', () => {
  it('has its version and variant, whatever the bytes are', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (let turn = 0; turn < 200; turn++) expect(uuidFrom(randomHex(16))).toMatch(form)
    expect(uuidFrom('f'.repeat(32))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(uuidFrom('0'.repeat(32))).toBe('00000000-0000-4000-8000-000000000000')
  })

  it('follows from its bytes', () => {
    expect(uuidFrom('00112233445566778899aabbccddeeff')).toBe(
      '00112233-4455-4677-8899-aabbccddeeff',
    )
  })
})
