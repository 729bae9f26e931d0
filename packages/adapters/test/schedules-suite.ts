import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { play, type Story } from '../../core/test/schedules/scene.ts'
import {
  chooserOf,
  inShort,
  type Schedule,
  sampleSchedules,
} from '../../core/test/schedules/schedules.ts'
import { asRecorded } from '../../core/test/schedules/turns.ts'
import { MemoryAdapter } from '../src/memory.ts'
import { type OpenStore, OUR_STORES } from './stores.ts'

// What schedules of flows find in memory is true of a store if the same calls in the same order come to the same there. So
// schedules are recorded in memory, each as who had which call, and repeated on every store: each flow is told the same, and
// the same users, accounts, passkeys, passwords and sessions are there in the end.
//
// A call ends before the next begins, as in memory, so no call waits for the locks of another. What stores do with calls that
// overlap is that of their statements, into which the store in memory is split when it is searched.

const STORES = OUR_STORES.filter(({ name }) => name !== 'memory')

/** Repeats so many schedules, of two and of three flows. */
export function schedulesSuite(count: number): void {
  const seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  const schedules = sampleSchedules(count, seed)
  let recorded: Promise<readonly Story[]> | undefined

  /** What the store in memory does. */
  async function record(): Promise<readonly Story[]> {
    // One for all, as the others are: how long anything lasts that was ever issued is in the log.
    const memory = { adapter: MemoryAdapter(), isShared: true }
    const stories: Story[] = []
    for (const each of schedules) stories.push(await play(each, chooserOf(each), memory))
    return stories
  }

  describe.each(STORES)('$name', ({ isThere, open }) => {
    describe.skipIf(!isThere)('as a store', () => {
      let store: OpenStore
      beforeAll(async () => {
        store = await open()
      })
      afterAll(() => store.close())

      it(
        `does with ${count} schedules what the store in memory does (seed ${seed})`,
        async () => {
          recorded ??= record()
          for (const [index, story] of (await recorded).entries()) {
            const schedule = schedules[index] as Schedule
            const name = inShort(schedule, story.turns)
            const kept = { adapter: store.adapter, isShared: true }
            const repeated = await play(schedule, asRecorded(story.turns), kept).catch(cause => {
              throw new Error(`${cause}\n${name}`, { cause })
            })
            expect(repeated, name).toEqual(story)
          }
        },
        60_000 + count * 2000,
      )
    })
  })
}
