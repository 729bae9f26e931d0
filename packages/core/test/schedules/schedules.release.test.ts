import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STATES } from './flows.ts'
import { everyStop, pairsIn, STRATEGIES } from './pairs.ts'
import { anyScheduleHolds } from './schedules.ts'

/** `MODEL_SEED` repeats what a run has found. */
const SEED = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const RUNS = 1500

describe.each(STRATEGIES)('with %s sessions', strategy => {
  describe.each(STATES)('when %s', state => {
    const flows = [...new Set(pairsIn(state).map(([one]) => one))]

    it.each(flows)('while somebody is stopped at any call: %s', async stopped => {
      const found: string[] = []
      for (const pair of pairsIn(state)) {
        if (pair[0] !== stopped) continue
        const { schedules, faults } = await everyStop({ state, strategy, flows: pair })
        expect(schedules, `the calls of ${stopped}`).toBeGreaterThan(1)
        found.push(...faults)
      }
      expect(found).toEqual([])
    })
  })
})

it.each([2, 3] as const)(
  `whichever of %i flows goes on at each call of the store, nobody is in the account of another (seed ${SEED})`,
  async size => {
    await fc.assert(anyScheduleHolds(size), { seed: SEED, numRuns: RUNS })
  },
  1_800_000,
)
