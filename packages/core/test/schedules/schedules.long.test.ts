import { it } from 'vitest'
import { searchFor } from '../search-for.ts'
import { anyScheduleHolds } from './schedules.ts'

// A few of the schedules that a release looks at: see schedules.release.test.ts.

/** How long is looked, for each number of flows. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 1)

it.each([2, 3] as const)(
  'whichever of %i flows goes on at each call of the store, nobody is in the account of another',
  async size => {
    await searchFor(SECONDS, anyScheduleHolds(size))
  },
  SECONDS * 1000 + 120_000,
)
