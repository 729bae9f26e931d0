import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication } from '../application.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { addressFor, personFor, SCENARIOS } from './scenarios.ts'
import { STORES } from './stores.ts'

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild(join(import.meta.dirname, 'child.ts'))
})
afterAll(() => child.remove())

/** Runs the child until it is killed. Returns how many people it has stopped, and one more, who was done. */
async function run(...words: readonly string[]): Promise<number> {
  const { code, signal, output } = await child.run(words).ended
  if (signal === 'SIGKILL') return Number(output)
  throw new Error(`the child ended with ${code ?? signal}`)
}

// Of these others the stores differ in nothing: one by transactions, one by commands, one published.
const ALL_SCENARIOS = ['sqlite', 'redis', '@auth/pg-adapter']

for (const [name, store] of Object.entries(STORES)) {
  describe.skipIf(!store.isThere)(
    `a process that is killed before any of its writes: ${name}`,
    () => {
      const scenarios = Object.entries(SCENARIOS)
      for (const [title, scenario] of scenarios.slice(0, ALL_SCENARIOS.includes(name) ? 4 : 1)) {
        it(`leaves ${title} to be repeated`, { timeout: 300_000 }, async () => {
          const place = await store.create()
          const people = await run(name, place, title)
          // There was something to be killed before.
          expect(people).toBeGreaterThan(1)
          for (let fatal = 1; fatal <= people; fatal++) {
            const person = personFor(fatal)
            const { adapter, close } = await store.open(place, person, () => true)
            const application = await createApplication(adapter)
            const first = await scenario.again(application, person)
            const second = await scenario.again(application, person)
            const found = await adapter.getUserByEmail?.(addressFor(person))
            await close()
            const when = fatal < people ? `killed before write ${fatal}` : 'not killed'
            expect(first, when).toBeDefined()
            expect([first, found?.id], when).toEqual([second, second])
          }
        })
      }
    },
  )
}
