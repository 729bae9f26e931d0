import { describe, expect, it } from 'vitest'
import { survivors } from './races.ts'

// Enough to see what was broken; RACE_ROUNDS takes thousands.
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 100)

describe('beside a sign-out', () => {
  it.each([
    ['with a channel', true],
    ['without one', false],
  ])(
    'nothing brings the session back, %s',
    async (_name, hasChannel) => {
      for (let seed = 1; seed <= ROUNDS; seed++) {
        expect(await survivors(seed, { hasChannel }), `seed ${seed}`).toEqual([])
      }
    },
    300_000,
  )
})
