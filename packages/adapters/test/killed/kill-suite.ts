import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FLOWS } from './flows.ts'
import { findChanges, kill, type Strategy } from './kill.ts'
import { type Row, resultsTable } from './results.ts'
import { MORTAL_STORES, type OpenPlace, type StoreName } from './stores.ts'

/** No flow has as many statements. */
const LIMIT = 400

/** Kills the process that runs each flow, after each of its statements. What came of it is written down: see `results`. */
export function killSuite(name: StoreName, strategies: readonly Strategy[]): void {
  const rows: Row[] = []
  describeStore(name, place => {
    const cases = Object.entries(FLOWS).flatMap(([flow, steps]) =>
      strategies.map(strategy => ({ flow, steps, strategy })),
    )
    it.each(cases)('$flow, with $strategy sessions', async ({ flow, steps, strategy }) => {
      const faults: string[] = []
      const counted = { killed: 0, intruders: 0, lockedOut: 0 }
      for (let statements = 0; statements < LIMIT; statements++) {
        const outcome = await kill(place(), steps, strategy, { statements })
        faults.push(...faultsOf(outcome, statements))
        if (!outcome.isKilled) break
        counted.killed++
        if (outcome.intrusions.length > 0) counted.intruders++
        if (outcome.isLockedOut) counted.lockedOut++
      }
      rows.push({ flow, strategy, ...counted })
      expect(faults).toEqual([])
      expect(counted.killed).toBeGreaterThan(1)
    })

    it('is what is written down: `npx vitest run --project release packages/adapters/test/killed -u` does so', async () => {
      const file = join(import.meta.dirname, 'results', `${name.toLowerCase()}.md`)
      await expect(resultsTable(name, rows)).toMatchFileSnapshot(file)
    })
  })
}

/**
 * The same after the first, the last and every second of those statements that have changed the store: after the others, it has
 * what it had before. The flows take turns with which are the second ones.
 */
export function briefKillSuite(name: StoreName, strategy: Strategy): void {
  describeStore(name, place => {
    it.each(Object.entries(FLOWS))('%s', async (title, flow) => {
      const faults: string[] = []
      const changes = await findChanges(place(), flow, strategy)
      const turn = Object.keys(FLOWS).indexOf(title)
      const taken = changes.filter(
        (_, at) => at === 0 || at === changes.length - 1 || (at + turn) % 2 === 0,
      )
      for (const statements of taken) {
        const outcome = await kill(place(), flow, strategy, { statements, isThorough: false })
        faults.push(...faultsOf(outcome, statements))
        if (!outcome.isKilled) faults.push(`not killed after statement ${statements}`)
      }
      expect(faults).toEqual([])
      expect(changes.length).toBeGreaterThan(1)
    })
  })
}

function describeStore(name: StoreName, tests: (place: () => OpenPlace) => void): void {
  const store = MORTAL_STORES[name]
  describe.skipIf(!store.isThere)(
    `no intruder is in and no owner is locked out after the process is killed: ${name}`,
    () => {
      let place: OpenPlace | undefined
      beforeAll(async () => {
        place = await store.open(await store.create())
      })
      afterAll(() => place?.close())
      tests(() => {
        if (!place) throw new Error('it is not open')
        return place
      })
    },
  )
}

function faultsOf(
  { isKilled, isLockedOut, intrusions }: Awaited<ReturnType<typeof kill>>,
  statements: number,
): string[] {
  const when = isKilled ? `killed after statement ${statements}` : 'not killed'
  return [
    ...intrusions.map(how => `${when}: Mallory is in by ${how}`),
    ...(isLockedOut ? [`${when}: Ann is locked out`] : []),
  ]
}
