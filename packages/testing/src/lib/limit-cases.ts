import type { LimitRule } from '@siteauth/core/adapters'
import type { Awaitable } from '@siteauth/core/types'
import { expect } from 'vitest'
import type { AdapterCase, RequiredAdapter } from './adapter-case.ts'

/** Five at once, then one every three minutes, which soon become a quarter of an hour, and then a day. */
const GUESSES: LimitRule = {
  burst: 5,
  refillSeconds: 180,
  maxDelaySeconds: 900,
  maxFailures: 9,
  forgetAfterSeconds: 86_400,
}
/** Two at once, and one more every ten seconds. */
const STEADY: LimitRule = { burst: 2, refillSeconds: 10 }
const MINUTE = 60_000

/** Attempts that are counted. */
export const LIMIT_CASES: readonly AdapterCase[] = [
  {
    name: 'as many attempts are allowed at once as the rule says',
    needs: ['limiter'],
    async run({ limiter }) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      const waits = await inTurn(7, () => limiter.take(key, GUESSES, now))
      expect(waits).toEqual([0, 0, 0, 0, 0, 3 * MINUTE, 3 * MINUTE])
    },
  },
  {
    name: 'of 200 attempts at once no more are allowed than the rule says',
    needs: ['limiter'],
    async run({ limiter }) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      const waits = await Promise.all(
        Array.from({ length: 200 }, () => limiter.take(key, GUESSES, now)),
      )
      expect(waits.filter(wait => wait === 0)).toHaveLength(5)
      expect(waits.every(wait => wait >= 0 && wait <= 3 * MINUTE)).toBe(true)
    },
  },
  {
    name: 'an attempt is allowed when the time to wait is over, and no sooner',
    needs: ['limiter'],
    async run({ limiter }) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      await inTurn(2, () => limiter.take(key, STEADY, now))
      expect(await limiter.take(key, STEADY, now + 9999)).toBe(1)
      expect(await limiter.take(key, STEADY, now + 10_000)).toBe(0)
      expect(await limiter.take(key, STEADY, now + 10_000)).toBe(10_000)
    },
  },
  {
    name: 'attempts that were refused do not make the wait longer',
    needs: ['limiter'],
    async run({ limiter }) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      await inTurn(20, () => limiter.take(key, STEADY, now))
      expect(await limiter.take(key, STEADY, now + 10_000)).toBe(0)
    },
  },
  {
    name: 'attempts that were not made are saved up to a burst',
    needs: ['limiter'],
    async run({ limiter }) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      await inTurn(2, () => limiter.take(key, STEADY, now))
      const later = now + 60 * MINUTE
      expect(await inTurn(3, () => limiter.take(key, STEADY, later))).toEqual([0, 0, 10_000])
    },
  },
  {
    name: 'attempts in a row take twice as long each, and in the end a day',
    needs: ['limiter'],
    async run(adapter) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      const waits = await waitsInARow(adapter, key, now, 11)
      expect(waits.map(wait => wait / MINUTE)).toEqual([3, 6, 12, 15, 1440, 1440])
    },
  },
  {
    name: 'attempts in a row are remembered for as long as the rule says',
    needs: ['limiter'],
    async run(adapter) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      await waitsInARow(adapter, key, now, 7)
      const nextDay = now + 26 * 60 * MINUTE
      const waits = await inTurn(6, () => adapter.limiter.take(key, GUESSES, nextDay))
      expect(waits).toEqual([0, 0, 0, 0, 0, 3 * MINUTE])
    },
  },
  {
    name: 'attempts that are forgotten never were',
    needs: ['limiter'],
    async run({ limiter }) {
      const [key, now] = [crypto.randomUUID(), Date.now()]
      await inTurn(5, () => limiter.take(key, GUESSES, now))
      await limiter.forget(key)
      await limiter.forget(crypto.randomUUID())
      const waits = await inTurn(6, () => limiter.take(key, GUESSES, now))
      expect(waits).toEqual([0, 0, 0, 0, 0, 3 * MINUTE])
    },
  },
  {
    name: 'attempts are counted for each key by itself, to the letter',
    needs: ['limiter'],
    async run({ limiter }) {
      const [id, now] = [crypto.randomUUID(), Date.now()]
      const rule = { burst: 1, refillSeconds: 60 }
      const keys = [`a-${id}`, `A-${id}`, `a-${id}-`, `a_${id}`, `${'x'.repeat(200)}${id}`]
      for (const key of keys) expect(await limiter.take(key, rule, now)).toBe(0)
      for (const key of keys) expect(await limiter.take(key, rule, now)).toBe(MINUTE)
    },
  },
]

/** Makes so many attempts, each as soon as it is allowed. Answers how long those took that had to wait. */
async function waitsInARow(
  { limiter }: RequiredAdapter,
  key: string,
  start: number,
  count: number,
): Promise<readonly number[]> {
  const waits: number[] = []
  let now = start
  for (let counted = 0; counted < count; ) {
    const wait = await limiter.take(key, GUESSES, now)
    if (wait === 0) counted += 1
    else waits.push(wait)
    now += wait
  }
  return waits
}

async function inTurn(count: number, act: () => Awaitable<number>): Promise<readonly number[]> {
  const delays: number[] = []
  for (let time = 0; time < count; time++) delays.push(await act())
  return delays
}
