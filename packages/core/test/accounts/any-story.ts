import fc from 'fast-check'
import { type Action, anyAction } from './actions.ts'
import type { BrowserName, Person, ProviderId } from './world.ts'

/** Actions in different browsers that are under way at the same time. */
interface AtOnce {
  readonly actions: readonly Action[]
  /** Which of them goes on, at each call of the store. */
  readonly order: readonly number[]
}

export type Step = Action | AtOnce

/** Actions one after another. */
export const anyStory: fc.Arbitrary<readonly Action[]> = fc.array(anyAction, {
  minLength: 1,
  maxLength: 16,
})

const failAt = undefined

function goTo(provider: ProviderId, browser: BrowserName): Action {
  return { do: 'go to provider', browser, provider }
}

function comeBack(attempt: number, by: Person, browser: BrowserName): Action {
  return { do: 'come back', attempt, by, address: by, browser, failAt }
}

/** Ways to an address, each in a browser of its own, that have only their last step left. */
const LAST_STEPS: readonly Action[] = [
  goTo('careful', 'mallory 1'),
  goTo('loose', 'mallory 2'),
  goTo('vouching', 'ann 1'),
  { do: 'ask for link', browser: 'ann 2', address: 'ann' },
  { do: 'ask for password', wish: 'forgot', browser: 'ann 1', address: 'ann' },
]

const UNDER_WAY: readonly Action[] = [
  comeBack(0, 'ann', 'ann 1'),
  { do: 'choose password', link: 0, browser: 'ann 1', failAt },
  { do: 'open link', link: 0, browser: 'ann 2', failAt },
  { do: 'type code', link: 0, browser: 'ann 2', failAt },
  comeBack(1, 'mallory', 'mallory 2'),
  { ...comeBack(1, 'mallory', 'mallory 2'), address: 'ann' } as Action,
  comeBack(2, 'mallory', 'mallory 1'),
  { do: 'make passkey', browser: 'mallory 1', address: 'ann', meanwhile: 'nothing', failAt },
  { do: 'use passkey', browser: 'mallory 2', failAt },
  { do: 'type password', browser: 'mallory 2', address: 'ann', secret: 0, failAt },
  { do: 'change password', browser: 'mallory 1', from: 0, failAt },
]

/** How Mallory comes to a user with the address of Ann, which nobody has proved. */
const BEGINNINGS: readonly (readonly Action[])[] = [
  [{ do: 'make passkey', browser: 'mallory 1', address: 'ann', meanwhile: 'nothing', failAt }],
  [
    { do: 'import password', who: 'mallory', address: 'ann' },
    { do: 'type password', browser: 'mallory 1', address: 'ann', secret: 0, failAt },
  ],
  [
    goTo('loose', 'mallory 1'),
    { ...comeBack(0, 'mallory', 'mallory 1'), address: 'ann' } as Action,
  ],
]

/** Actions of which some are under way at the same time: any, or those by which two people contend for an address. */
export const anyConcurrentStory: fc.Arbitrary<readonly Step[]> = fc.oneof(
  fc.array(fc.oneof(anyAction, atOnce(anyAction)), { minLength: 1, maxLength: 12, size: 'max' }),
  fc
    .tuple(
      fc.constantFrom(...BEGINNINGS),
      atOnce(fc.constantFrom(...UNDER_WAY)),
      fc.array(anyAction, { maxLength: 4 }),
    )
    .map(([beginning, contest, rest]) => [...beginning, ...LAST_STEPS, contest, ...rest]),
)

function atOnce(action: fc.Arbitrary<Action>): fc.Arbitrary<AtOnce> {
  return fc.record({
    actions: fc.uniqueArray(action, { minLength: 2, maxLength: 3, selector: placeOf }),
    order: fc.array(fc.nat({ max: 2 }), { maxLength: 60, size: 'max' }),
  })
}

/** The browser in which something is done, or the application. */
function placeOf(action: Action): string {
  if (action.do === 'plant cookies') return action.to
  return 'browser' in action ? action.browser : 'the application'
}
