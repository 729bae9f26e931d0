import { expect, it } from 'vitest'
import { timeText } from './iso-time.ts'

const FAR = 8_640_000_000_000_000

it('is what a Date says, for times of all kinds', () => {
  const notable = [0, -1, 1, 999, 1000, 86_399_999, 86_400_000, 1_709_164_800_000, FAR, -FAR]
  const near = Array.from({ length: 2000 }, (_, at) => 1_700_000_000_000 + at * 1_234_567_891)
  const early = Array.from({ length: 2000 }, (_, at) => -at * 34_567_890_123)
  for (const time of [...notable, ...near, ...early, ...notable]) {
    expect(timeText(time)).toBe(new Date(time).toISOString())
  }
})

it('leaves parts of a millisecond out, as a Date does', () => {
  for (const time of [1_700_000_000_000.75, -0.5, -1.5]) {
    expect(timeText(time)).toBe(new Date(time).toISOString())
  }
})

it('refuses what is no time, as a Date does', () => {
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => timeText(time)).toThrow(RangeError)
  }
})
