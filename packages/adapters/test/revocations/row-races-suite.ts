import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowSurvivors } from '../../../core/test/sessions/races.ts'
import { type OpenStore, OUR_STORES } from '../stores.ts'

/** Orders that are under way at once, of users of their own. */
const AT_ONCE = 10

/** As many orders of events in each store, by seed. */
export function rowRacesSuite(rounds: number): void {
  for (const { name, isThere, open } of OUR_STORES) {
    describe.skipIf(!isThere)(`beside a sign-out, with sessions in ${name}`, () => {
      let store: OpenStore
      beforeAll(async () => {
        store = await open()
      })
      afterAll(() => store.close())

      it.each([false, 'migrate', true] as const)(
        'nothing brings a row back (hashTokens: %s)',
        async hashTokens => {
          const { adapter } = store
          for (let seed = 1; seed <= rounds; seed += AT_ONCE) {
            const seeds = Array.from({ length: AT_ONCE }, (_, index) => seed + index)
            const found = await Promise.all(
              seeds.map(
                async seed =>
                  [seed, await rowSurvivors(seed, { adapter, shape: 'ours', hashTokens })] as const,
              ),
            )
            expect(found.filter(([, survivors]) => survivors.length > 0)).toEqual([])
          }
        },
        3_000_000,
      )
    })
  }
}
