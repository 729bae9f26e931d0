import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { openSqlAdapter } from './databases.ts'
import { earlierIndexes, INDEX_STEPS } from './earlier-indexes.ts'
import { DATABASES, folder } from './queries.ts'

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild(join(import.meta.dirname, 'killed-child.ts'))
})
afterAll(() => {
  child.remove()
  rmSync(folder, { recursive: true, force: true })
})

const KINDS = Object.keys(DATABASES) as (keyof typeof DATABASES)[]

describe.each(KINDS)('a process that migrates %s', kind => {
  const { isThere, create, query, describe: made } = DATABASES[kind]

  const migrate = async (place: string) => {
    const { migrations, close } = openSqlAdapter(kind, place)
    const steps = await migrations.apply()
    expect(await migrations.plan()).toEqual([])
    await close()
    return steps.map(({ description }) => description)
  }

  it.skipIf(!isThere)('may be killed after any of its statements', async () => {
    const place = await create()
    await migrate(place)
    const expected = await query(place, made)
    let isComplete = false
    const kills: string[] = []
    for (let count = 1; !isComplete; count++) {
      await query(place, ...earlierIndexes(kind))
      const { code, signal, output } = await child.run([kind, place, String(count)]).ended
      isComplete = code === 0
      if (!isComplete) expect(signal).toBe('SIGKILL')
      const after = `after ${output.trim().split('\n').at(-1)}`
      kills.push(after)
      // Whatever it has left, an index begins with `userId`, and the rest of the steps completes it.
      const left = (await migrate(place)).filter(step => !step.startsWith('drop unfinished'))
      expect(INDEX_STEPS.slice(INDEX_STEPS.length - left.length), after).toEqual(left)
      expect(await query(place, made), after).toEqual(expected)
    }
    for (const statement of [/^after create index/, /^after (alter table \S+ )?drop index/]) {
      expect(kills.filter(after => statement.test(after))).toHaveLength(2)
    }
  })

  it.skipIf(!isThere)('may be killed at any moment of a build', async () => {
    const place = await create()
    await migrate(place)
    const expected = await query(place, made)
    await query(place, ...manyRows(kind), ...earlierIndexes(kind))
    let isComplete = false
    for (let attempt = 1; !isComplete && attempt <= 20; attempt++) {
      const { process, ended } = child.run([kind, place])
      const moment = 2 ** (attempt / 2)
      process.stdout?.on('data', chunk => {
        // SQLite begins to build then; the others soon after.
        const isBegun = /begin immediate|idle_in_transaction|set session lock_wait/.test(chunk)
        if (isBegun) setTimeout(() => process.kill('SIGKILL'), moment)
      })
      isComplete = (await ended).code === 0
      const [rows] = await query(place, 'select count(*) as stored from sessions')
      expect(Number(rows?.['stored'])).toBe(ROWS)
    }
    await migrate(place)
    expect(await query(place, made)).toEqual(expected)
  })
})

const ROWS = 100_000

/** The statements that store a user and as many sessions, so that it takes a while to build an index. */
function manyRows(kind: keyof typeof DATABASES): readonly string[] {
  const quote = kind === 'MySQL' ? '`' : '"'
  const insert = `insert into sessions (${['sessionToken', 'userId', 'expires'].map(name => quote + name + quote).join(', ')})`
  const user = `insert into users (id, email) values ('ann', 'ann@example.com')`
  switch (kind) {
    case 'PostgreSQL':
      return [
        user,
        `${insert} select 'token ' || n, 'ann', now() + n * interval '1 second' from generate_series(1, ${ROWS}) n`,
      ]
    case 'MySQL':
      return [
        user,
        `${insert} select concat('token ', seq), 'ann', now() + interval seq second from seq_1_to_${ROWS}`,
      ]
    default:
      return [
        user,
        `${insert} select 'token ' || value, 'ann', datetime('now', value || ' seconds') from (
          with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < ${ROWS})
          select value from numbers)`,
      ]
  }
}
