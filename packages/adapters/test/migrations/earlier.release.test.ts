import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildVersions, type Versions } from '../two-versions/start-servers.ts'
import { earlierIndexes, INDEX_STEPS } from './earlier-indexes.ts'
import { DATABASES, folder } from './queries.ts'

/** The last version before sessions had an index by user and expiry. */
const EARLIER = '10151bd5'
const PROGRAM = 'packages/adapters/test/migrations/version.ts'

/** What both versions do with a user. */
const LIVED = { found: true, listed: 2, tracked: 1, ended: 1, left: 0 }

interface Version {
  plan(place: string): Promise<unknown>
  apply(place: string): Promise<unknown>
  live(place: string): Promise<unknown>
  stop(): void
}

let versions: Versions
beforeAll(async () => {
  versions = await buildVersions(PROGRAM, EARLIER)
}, 300_000)
afterAll(() => {
  versions?.remove()
  rmSync(folder, { recursive: true, force: true })
})

function start(program: string, kind: string): Version {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })
  const ask = async (place: string, action: string) => {
    const answered = once(answers, 'line')
    child.stdin.write(`${kind} ${place} ${action}\n`)
    return JSON.parse(String((await answered)[0])) as unknown
  }
  return {
    plan: place => ask(place, 'plan'),
    apply: place => ask(place, 'apply'),
    live: place => ask(place, 'live'),
    stop: () => child.stdin.end(),
  }
}

describe.each(Object.keys(DATABASES) as (keyof typeof DATABASES)[])('on %s', kind => {
  const { isThere, create, query, describe: made } = DATABASES[kind]
  let earlier: Version
  let present: Version
  beforeAll(() => {
    earlier = start(versions.earlier, kind)
    present = start(versions.present, kind)
  })
  afterAll(() => {
    earlier.stop()
    present.stop()
  })

  describe.skipIf(!isThere)('beside the version before,', () => {
    it('its tables are used as they are, and the plan lists what they lack', async () => {
      const place = await create()
      await earlier.apply(place)
      const tables = await query(place, made)
      if (kind !== 'SQLite') {
        expect(await present.live(place)).toEqual(LIVED)
        expect(await query(place, made)).toEqual(tables)
      }
      expect(await present.plan(place)).toEqual(INDEX_STEPS)
      expect(await present.apply(place)).toEqual(INDEX_STEPS)
      expect(await present.live(place)).toEqual(LIVED)
    })

    it('it works on the tables of this version, and changes nothing', async () => {
      const place = await create()
      await present.apply(place)
      const tables = await query(place, made)
      expect(await earlier.plan(place)).toEqual([])
      expect(await earlier.apply(place)).toEqual([])
      expect(await earlier.live(place)).toEqual(LIVED)
      expect(await query(place, made)).toEqual(tables)
    })

    it('it goes on while its tables are migrated', async () => {
      const place = await create()
      await earlier.apply(place)
      let isDone = false
      const applying = present.apply(place).finally(() => {
        isDone = true
      })
      while (!isDone) expect(await earlier.live(place)).toEqual(LIVED)
      expect(await applying).toEqual(INDEX_STEPS)
      expect(await earlier.live(place)).toEqual(LIVED)
    })

    it('its tables are restored by the statements of the guide', async () => {
      const [migrated, original] = [await create(), await create()]
      await present.apply(migrated)
      await earlier.apply(original)
      await query(migrated, ...earlierIndexes(kind))
      expect(await query(migrated, made)).toEqual(await query(original, made))
      expect(await earlier.plan(migrated)).toEqual([])
      expect(await earlier.live(migrated)).toEqual(LIVED)
    })
  })
})
