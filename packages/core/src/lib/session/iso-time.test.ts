import { describe, expect, it } from 'vitest'
import { isoTime } from './iso-time.ts'

describe('a time is written as Date writes it', () => {
  it.each([
    ['the beginning of the epoch', 0],
    ['the millisecond before', -1],
    ['a moment with milliseconds', 1_700_000_000_007],
    ['the last second of a day', Date.UTC(2026, 10, 16, 23, 59, 59)],
    ['the first of the next', Date.UTC(2026, 10, 17)],
    ['a part of a millisecond', 1_700_000_000_000.75],
    ['a part of one before the epoch', -0.5],
    ['a year of five digits', 253_402_300_800_000],
    ['a year before the first', -62_198_755_200_001],
    ['the last that there is', 8.64e15],
  ])('%s', (_, time) => {
    expect(isoTime(time)).toBe(new Date(time).toISOString())
  })

  it('at any time', () => {
    for (let turn = 0; turn < 10_000; turn++) {
      const time = Math.floor(Math.random() * 4e12)
      expect(isoTime(time)).toBe(new Date(time).toISOString())
    }
  })

  it.each([Number.NaN, 8.64e15 + 86_400_000, Number.POSITIVE_INFINITY])('%s is none', time => {
    expect(() => isoTime(time)).toThrow(RangeError)
  })
})
