import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { rowSurvivors, SHAPES } from './races.ts'

// Enough to see what was broken; RACE_ROUNDS takes thousands.
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 60)

describe.each(SHAPES)('beside a sign-out, with the methods of an adapter that is %s', shape => {
  it.each([false, 'migrate', true] as const)(
    'nothing brings a row back (hashTokens: %s)',
    async hashTokens => {
      const adapter = MemoryAdapter()
      for (let seed = 1; seed <= ROUNDS; seed++) {
        const alive = await rowSurvivors(seed, { adapter, shape, hashTokens })
        expect(alive, `seed ${seed}`).toEqual([])
      }
    },
    300_000,
  )
})
