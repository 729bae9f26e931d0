import { describe, expect, it } from 'vitest'
import { createMemoryLimiter } from './memory-limiter.ts'

const RULE = {
  burst: 5,
  refillSeconds: 180,
  maxDelaySeconds: 900,
  maxFailures: 100,
  forgetAfterSeconds: 86_400,
}
const MINUTE = 60_000
const START = Date.UTC(2030, 0, 1)

describe('attempts in a row', () => {
  it('are as many as the rule says, then each takes twice as long, and never more than a day', async () => {
    const limiter = createMemoryLimiter()
    const waits: number[] = []
    let now = START
    for (let attempt = 1; attempt <= 101; attempt++) {
      now += (await limiter.take('ann', RULE, now)) as number
      const wait = (await limiter.take('ann', RULE, now)) as number
      if (attempt === 1 || wait > 0) waits.push(wait / MINUTE)
      now += wait
    }
    expect(waits.slice(0, 8)).toEqual([0, 3, 6, 12, 15, 15, 15, 15])
    expect(Math.max(...waits)).toBe(24 * 60)
  })

  it('begin anew when they are forgotten', async () => {
    const limiter = createMemoryLimiter()
    for (let attempt = 0; attempt < 5; attempt++) await limiter.take('ann', RULE, START)
    expect(await limiter.take('ann', RULE, START)).toBe(3 * MINUTE)
    await limiter.forget('ann')
    expect(await limiter.take('ann', RULE, START)).toBe(0)
  })
})

it('keeps the key that is being guessed at while a million others pass by', async () => {
  const limiter = createMemoryLimiter(1000)
  for (let attempt = 0; attempt < 5; attempt++) await limiter.take('ann', RULE, START)
  let refused = 0
  for (let other = 0; other < 1_000_000; other++) {
    await limiter.take(`other ${other}`, RULE, START)
    if (other % 500 === 0) refused += Number((await limiter.take('ann', RULE, START)) !== 0)
  }
  expect(refused).toBe(2000)
}, 60_000)

it('holds no more keys than it may: whoever was not tried for longest is forgotten', async () => {
  const limiter = createMemoryLimiter(1000)
  for (let attempt = 0; attempt < 5; attempt++) await limiter.take('ben', RULE, START)
  for (let other = 0; other < 1000; other++) await limiter.take(`other ${other}`, RULE, START)
  expect(await limiter.take('ben', RULE, START)).toBe(0)
})
