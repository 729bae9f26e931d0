import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renewalAt } from './database/renewal-times.ts'
import { effectiveUpdateAge, isDueForRenewal, nextExpiry } from './lifetime.ts'

const DAY = 86_400
const lifetime = { maxAge: 30 * DAY, updateAge: DAY }
const NOW = Date.UTC(2030, 0, 1)

describe('a session', () => {
  it('ends its idle time after now', () => {
    expect(nextExpiry(NOW, lifetime)).toBe(NOW + 30 * DAY * 1000)
  })

  it('is due for renewal when it is as old as updateAge, and no millisecond sooner', () => {
    expect(isDueForRenewal(NOW, lifetime, NOW + DAY * 1000 - 1)).toBe(false)
    expect(isDueForRenewal(NOW, lifetime, NOW + DAY * 1000)).toBe(true)
  })

  it('is always due where updateAge is 0', () => {
    expect(isDueForRenewal(NOW, { ...lifetime, updateAge: 0 }, NOW)).toBe(true)
  })

  it('is due where it seems to come from the future: sessions have become shorter since', () => {
    expect(isDueForRenewal(NOW + 10 * DAY * 1000, lifetime, NOW)).toBe(true)
  })

  it('is not due because the clock of another server is ahead', () => {
    expect(isDueForRenewal(NOW + 15_000, lifetime, NOW)).toBe(false)
  })

  it('that was just renewed is not due, unless it always is', () => {
    const age = fc.integer({ min: 1, max: 400 * DAY })
    fc.assert(
      fc.property(age, fc.option(age, { nil: undefined }), fc.nat(), (maxAge, updateAge, now) => {
        const rules = { maxAge, updateAge: effectiveUpdateAge(maxAge, updateAge) }
        const issued = nextExpiry(now, rules) - maxAge * 1000
        expect(isDueForRenewal(issued, rules, now)).toBe(rules.updateAge === 0)
      }),
    )
  })

  it('is due by its end whenever it is due by its beginning', () => {
    const age = fc.integer({ min: 1, max: 400 * DAY })
    const shift = fc.integer({ min: -500 * DAY * 1000, max: 500 * DAY * 1000 })
    fc.assert(
      fc.property(age, fc.nat({ max: DAY }), shift, (maxAge, updateAge, difference) => {
        const rules = { maxAge, updateAge }
        const issued = NOW + difference
        const end = nextExpiry(issued, rules)
        const { dueUntil, dueAfter, expires } = renewalAt(NOW, rules)
        const isDue = end <= dueUntil.getTime() || end > dueAfter.getTime()
        expect(isDue).toBe(isDueForRenewal(issued, rules, NOW))
        expect(expires).toEqual(new Date(nextExpiry(NOW, rules)))
      }),
    )
  })
})

describe('the age of renewal', () => {
  it.each([
    [30 * DAY, undefined, DAY],
    [2 * DAY, undefined, DAY],
    [DAY, undefined, DAY / 2],
    [3600, undefined, 1800],
    [61, undefined, 30],
    [1, undefined, 0],
    [30 * DAY, 0, 0],
    [30 * DAY, 60, 60],
    [3600, DAY, 1800],
    [3600, 3600, 1800],
    [3600, 3599, 3599],
  ])('of sessions of %j seconds, with updateAge %j, is %j', (maxAge, configured, age) => {
    expect(effectiveUpdateAge(maxAge, configured)).toBe(age)
  })

  it('always comes before the end', () => {
    const seconds = fc.integer({ min: 1, max: 400 * DAY })
    fc.assert(
      fc.property(seconds, fc.option(seconds, { nil: undefined }), (maxAge, configured) => {
        expect(effectiveUpdateAge(maxAge, configured)).toBeLessThan(maxAge)
      }),
    )
  })
})
