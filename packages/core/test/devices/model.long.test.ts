import fc from 'fast-check'
import { afterEach, beforeEach, describe, it, vi } from 'vitest'
import { FAULTS } from '../faulty-store.ts'
import { searchFor } from '../search-for.ts'
import { ACTIONS, createHousehold, type Setting, type Step, type What } from './household.ts'

// One user with three browsers, at two servers with different clocks and a store that fails now and then, in any
// order. Each live session is in the list until it has ended; after "end others" exactly one is live; what has ended
// never answers again; and rotation signs nobody out, however far it came.

/** How long is looked, in all. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 2)

const SETTINGS: readonly Setting[] = [
  { strategy: 'jwt', hashTokens: false, check: 'always' },
  { strategy: 'jwt', hashTokens: false, check: 'on-renewal' },
  { strategy: 'database', hashTokens: false, check: 'always' },
  { strategy: 'database', hashTokens: true, check: 'always' },
]

const browser = fc.nat({ max: 2 })
const what: fc.Arbitrary<What> = fc.record({
  do: fc.constantFrom(...ACTIONS),
  browser,
  server: fc.nat({ max: 1 }),
  target: browser,
  age: fc.nat({ max: 3 }),
})
const at = fc.integer({ min: 1, max: 12 })
const disturbance = fc.option(
  fc.oneof(
    fc.record({ at, fault: fc.constantFrom(...FAULTS) }),
    fc.record({ at, meanwhile: what }),
  ),
  { freq: 2 },
)
const wait = fc.constantFrom(0, 1, 10, 31, 2 * 86_400)
const step: fc.Arbitrary<Step> = fc.record({ wait, what, disturbance })
/** How far the clock of each server is ahead, in seconds. */
const clocks = fc.constantFrom([0, 0], [0, 90], [0, -600], [3 * 3600, 0])

beforeEach(() => {
  // The clock of the store; servers have their own.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
})

afterEach(() => {
  vi.useRealTimers()
})

describe.each(SETTINGS)('$strategy sessions, hashed: $hashTokens, checked $check', setting => {
  it(
    'are listed until they end, and end for good',
    async () => {
      const property = fc.asyncProperty(
        clocks,
        fc.array(step, { minLength: 1, maxLength: 10 }),
        async (offsets, steps) => {
          const household = await createHousehold(setting, offsets)
          for (const each of steps) await household.take(each)
        },
      )
      await searchFor(SECONDS / SETTINGS.length, property)
    },
    SECONDS * 1000 + 120_000,
  )
})
