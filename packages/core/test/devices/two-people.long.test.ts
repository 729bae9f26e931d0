import fc from 'fast-check'
import { afterEach, beforeEach, describe, it, vi } from 'vitest'
import { searchFor } from '../search-for.ts'
import {
  ACTIONS,
  type Action,
  BROWSERS,
  createTwoPeople,
  type Setting,
  type Step,
} from './two-people.ts'

// Two people with two browsers each, at two servers whose clocks are hours apart, in any order: signing in, rotating, listing,
// revoking, linking, planting the session of one in the browser of the other, and changing the password in the middle of a
// sign-in. Nobody reads or ends what belongs to the other, and no account is linked to the other's user; what has ended
// neither answers nor does anything; what lives is listed; and after "end others" there is exactly one session.

/** How long is looked, in all. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 2)

const SETTINGS: readonly Setting[] = [
  { strategy: 'jwt', check: 'always' },
  { strategy: 'jwt', check: 'on-renewal' },
  { strategy: 'database', check: 'always' },
]

const browser = fc.constantFrom(...BROWSERS)
const action: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom(...ACTIONS),
  browser,
  server: fc.nat({ max: 1 }),
  target: browser,
  choice: fc.nat({ max: 7 }),
})
const meanwhile = fc.option(fc.record({ at: fc.integer({ min: 1, max: 12 }), action }), { freq: 2 })
const wait = fc.constantFrom(0, 1, 10, 31, 2 * 86_400)
/** Two browsers of one person, the second of which does something in the middle of what the first does. */
const race: fc.Arbitrary<Step> = fc
  .record({
    ...{ wait, at: fc.integer({ min: 1, max: 12 }) },
    person: fc.constantFrom('ann' as const, 'eve' as const),
    first: fc.constantFrom(
      ...(['sign in', 'finish at the provider', 'end others', 'end one', 'renew'] as const),
    ),
    second: fc.constantFrom(
      ...(['change the password', 'end all', 'end others', 'rotate', 'sign out'] as const),
    ),
    ...{ servers: fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 })), choice: fc.nat({ max: 7 }) },
  })
  .map(({ wait, at, person, first, second, servers, choice }) => {
    const [browser, target] = [`${person} 1`, `${person} 2`] as const
    return {
      wait,
      action: { do: first, browser, server: servers[0], target, choice },
      meanwhile: {
        at,
        action: { do: second, browser: target, server: servers[1], target: browser, choice },
      },
    }
  })
const step: fc.Arbitrary<Step> = fc.oneof(fc.record({ wait, action, meanwhile }), race)
/** The session of Eve in a browser of Ann, who then adds a way to sign in, or signs in. */
const planting: fc.Arbitrary<Step[]> = fc
  .record({
    ...{ wait, server: fc.nat({ max: 1 }), choice: fc.nat({ max: 1 }) },
    browser: fc.constantFrom('ann 1' as const, 'ann 2' as const),
    target: fc.constantFrom('eve 1' as const, 'eve 2' as const),
    before: fc.constantFrom('sign out' as const, 'renew' as const),
    next: fc.constantFrom(
      ...(['finish at the provider', 'change the password', 'sign in', 'end others'] as const),
    ),
  })
  .map(({ wait, server, choice, browser, target, before, next }) =>
    ([before, 'plant a session', next] as const).map(act => ({
      ...{ wait, meanwhile: null },
      action: { do: act, browser, server, target, choice },
    })),
  )
const steps: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 8, arbitrary: step.map(each => [each]) }, planting), {
    ...{ minLength: 3, maxLength: 10, size: 'max' },
  })
  .map(all => all.flat())
/** The browsers that are signed in when it begins. */
const signedIn = fc.shuffledSubarray([...BROWSERS], { minLength: 2 })
/** How far the clock of each server is ahead, in seconds. */
const clocks = fc.constantFrom([0, 0], [3 * 3600, -2 * 3600], [0, 90])

beforeEach(() => {
  // The clock of the store; servers have their own.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
})

afterEach(() => {
  vi.useRealTimers()
})

describe.each(SETTINGS)('$strategy sessions, checked $check', setting => {
  it(
    'of two people are never those of the other, and end for good',
    async () => {
      const property = fc.asyncProperty(clocks, signedIn, steps, async (offsets, names, all) => {
        const people = await createTwoPeople(setting, offsets)
        await people.begin(names)
        for (const each of all) await people.take(each)
        await people.finish()
      })
      await searchFor(SECONDS / SETTINGS.length, property)
    },
    SECONDS * 1000 + 120_000,
  )
})
