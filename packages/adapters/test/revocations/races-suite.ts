import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { survivors } from '../../../core/test/revocation/races.ts'
import { type OpenStore, OUR_STORES } from '../stores.ts'

/** Orders that are under way at once, of sessions of their own. */
const AT_ONCE = 10

/** As many orders of events in each store, by seed. */
export function racesSuite(rounds: number): void {
  for (const { name, isThere, open } of OUR_STORES) {
    describe.skipIf(!isThere)(`beside a sign-out, with ${name}`, () => {
      let store: OpenStore
      beforeAll(async () => {
        store = await open()
      })
      afterAll(() => store.close())

      it.each([
        ['with a channel', true],
        ['without one', false],
      ])(
        'nothing brings the session back, %s',
        async (_name, hasChannel) => {
          const { revocations: log } = store.adapter
          for (let seed = 1; seed <= rounds; seed += AT_ONCE) {
            const seeds = Array.from({ length: AT_ONCE }, (_, index) => seed + index)
            const found = await Promise.all(
              seeds.map(async seed => [seed, await survivors(seed, { hasChannel, log })] as const),
            )
            expect(found.filter(([, survivors]) => survivors.length > 0)).toEqual([])
          }
        },
        3_000_000,
      )
    })
  }
}
