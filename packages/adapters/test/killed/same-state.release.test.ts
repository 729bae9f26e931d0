import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { FLOWS } from './flows.ts'
import { findChanges, makeReady, runUntilKilled, type Strategy } from './kill.ts'
import { MORTAL_STORES, type StoreName } from './stores.ts'

// A process that is killed for real leaves behind what one leaves behind whose connections are ended.

const SEED = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild(join(import.meta.dirname, 'child.ts'))
})
afterAll(() => child.remove())

// Sound: the names of what it has.
for (const name of Object.keys(MORTAL_STORES) as StoreName[]) {
  const store = MORTAL_STORES[name]
  describe.skipIf(!store.isThere)(`${name}, with KILL_SEED=${SEED}`, () => {
    it.each(Object.keys(FLOWS))('has the same after kill -9: %s', async title => {
      const flow = FLOWS[title]
      if (!flow) throw new Error('there is no such flow')
      const at = pick(`${name} ${title}`)
      const strategy: Strategy = at < 0.5 ? 'database' : 'jwt'
      const place = await store.open(await store.create())
      const changes = await findChanges(place, flow, strategy)
      // Something is there then.
      const statements = changes[1 + Math.floor(at * (changes.length - 1))] ?? 0
      await place.empty()
      await runUntilKilled(await makeReady(place, flow, strategy), statements)
      const expected = (await place.dump()).map(withoutChance).sort()
      await place.empty()
      const words = [name, place.name, title, strategy, String(statements)]
      const { signal } = await child.run(words).ended
      const found = (await place.dump()).map(withoutChance).sort()
      await place.close()
      const when = `after statement ${statements}, with ${strategy} sessions`
      expect(signal, when).toBe('SIGKILL')
      expect(found, when).toEqual(expected)
    })
  })
}

/** A number from 0 to 1 for each name. */
function pick(name: string): number {
  let hash = SEED
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** A row without what is random, or told by a clock. The fields of a hash are in no order. */
function withoutChance(row: string): string {
  const [, key, fields] = /^(\S+) (\{.*\})$/s.exec(row) ?? []
  if (key === undefined || fields === undefined) return textWithoutChance(row)
  const entries = Object.entries(JSON.parse(fields)).map(entry => JSON.stringify(entry))
  return [key, ...entries].map(textWithoutChance).sort().join(' ')
}

function textWithoutChance(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'a time')
    .replaceAll(/[\w+/=$.:%-]{20,}/g, 'a text')
    .replaceAll(/\b\d{10,16}\b/g, 'a number')
}
