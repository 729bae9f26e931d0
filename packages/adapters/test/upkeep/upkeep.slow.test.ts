import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSqlite } from '../../src/lib/sql/sqlite/open-sqlite.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type SqlAdapter, SqliteAdapter } from '../../src/sqlite.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { createPostgresDatabase, POSTGRES_URL } from '../servers.ts'
import {
  addOldAttempts,
  addOldRevocations,
  addRows,
  countRows,
  DAY,
  EXPIRING,
  HOUR,
  RULE,
  SQL_STORES,
} from './sql-stores.ts'

afterEach(() => {
  vi.useRealTimers()
})

for (const { name, isThere, prepare } of SQL_STORES) {
  describe.skipIf(!isThere)(`expired rows in ${name}`, () => {
    it('are removed between requests, and those that are valid stay', async () => {
      const store = await prepare()
      const { adapter, kysely, count } = store
      await addRows(store, 120)
      vi.useFakeTimers({ toFake: ['Date'] })
      await adapter.limiter.take('first', RULE, Date.now())
      vi.setSystemTime(Date.now() + HOUR)
      await adapter.limiter.take('second', RULE, Date.now())
      const counts = () => Promise.all(EXPIRING.map(count))
      await vi.waitFor(async () => expect(await counts()).toEqual([1, 1, 1, 1, 3]), 20_000)
      await adapter.close()
      await kysely.destroy()
    })

    it('go in batches, if all of them expired at the same time as well', async () => {
      const { adapter, kysely, count, statements } = await prepare()
      const expires = new Date(Date.now() - 2 * DAY)
      const [many, until] = [1100, expires]
      const keys = Array.from({ length: many }, (_, at) => `s:same-${at}`)
      for (const part of [keys.slice(0, 500), keys.slice(500)]) {
        await adapter.revocations.end(part.map(key => ({ key, until })))
      }
      await addOldAttempts(kysely, many, 2 * DAY)
      statements.length = 0
      expect(await adapter.deleteExpired()).toBe(2 * many)
      const deletions = statements.filter(each => /\bdelete from .(limits|revocations)/.test(each))
      expect(deletions).toHaveLength(6)
      // Each batch but the first begins where the one before ended.
      const starts = deletions.map(each => /expires >= /.test(each))
      expect(starts).toEqual([false, true, true, false, true, true])
      expect([await count('limits'), await count('revocations')]).toEqual([0, 0])
      await kysely.destroy()
    })

    it('are removed once by three processes at the same time', async () => {
      const { adapter, kysely, count, open } = await prepare()
      const many = 1600
      await addOldAttempts(kysely, many, 2 * DAY)
      await addOldRevocations(kysely, many, 2 * DAY)
      const removed = await Promise.all([adapter, open(), open()].map(each => each.deleteExpired()))
      expect(removed.reduce((total, each) => total + each)).toBe(2 * many)
      expect([await count('limits'), await count('revocations')]).toEqual([0, 0])
      await kysely.destroy()
    })

    it('stay if they are renewed while others are removed', async () => {
      const { adapter, kysely, count, open } = await prepare()
      await addOldAttempts(kysely, 600, 2 * DAY)
      const removing = open().deleteExpired()
      const ended = { key: 's:old', until: new Date(Date.now() - 2 * DAY) }
      await adapter.revocations.end([ended])
      const renewed = { ...ended, until: new Date(Date.now() + DAY) }
      await adapter.revocations.end([renewed])
      await removing
      await adapter.deleteExpired()
      expect(await adapter.revocations.find(['s:old'])).toEqual([{ ...renewed, generation: null }])
      expect(await count('limits')).toBe(0)
      await kysely.destroy()
    })
  })
}

describe.skipIf(!POSTGRES_URL)('beside a long transaction in PostgreSQL', () => {
  /** A table with 10,000 expired sessions and a valid one, and a transaction that has seen all of them. */
  async function openBeside() {
    const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    const explained = explainRemoval(pool)
    const adapter = PostgresAdapter({ pool })
    await adapter.migrations.apply()
    await pool.query(`insert into users (id, email) values ('1', 'ada@example.com')`)
    await pool.query(`insert into sessions select i::text, '1', now() - interval '3 days' - i * interval '1 second'
      from generate_series(1, 10000) i order by random()`)
    await pool.query(`insert into sessions values ('live', '1', now() + interval '1 day')`)
    await pool.query('vacuum analyze sessions')
    const other = new pg.Client({ connectionString: pool.options.connectionString })
    await other.connect()
    await other.query('begin isolation level repeatable read')
    await other.query('select count(*) from sessions')
    const close = async () => {
      await other.end()
      await pool.end()
    }
    return { adapter, pool, other, ...explained, close }
  }

  it('the last batch reads as much as the first, though the rows of all others are still there', async () => {
    const { adapter, read, plans, close } = await openBeside()
    expect(await adapter.deleteExpired()).toBe(10_000)
    const [first = 0, ...later] = read.slice(0, 20)
    expect(later).toHaveLength(19)
    expect(first).toBeGreaterThan(500)
    expect(Math.max(...later)).toBeLessThan(first * 1.1)
    expect(plans.every(plan => plan.includes('"sessions_expires_idx"'))).toBe(true)
    expect(plans.some(plan => plan.includes('"Seq Scan"'))).toBe(false)
    await close()
  })

  it('a row that the transaction holds keeps no other row from being removed, and is removed later', async () => {
    const { adapter, pool, other, read, close } = await openBeside()
    await other.query(`select * from sessions where "sessionToken" = '5000' for update`)
    expect(await adapter.deleteExpired()).toBe(9999)
    const { rows } = await pool.query('select "sessionToken" as token from sessions order by 1')
    expect(rows).toEqual([{ token: '5000' }, { token: 'live' }])
    const [first = 0, ...later] = read.slice(0, 20)
    expect(Math.max(...later)).toBeLessThan(first * 1.1)
    await other.query('rollback')
    expect(await adapter.deleteExpired()).toBe(1)
    await close()
  })
})

/** Explains what removes expired sessions, before it is done: how many buffers each batch reads, and the plans. */
function explainRemoval(pool: pg.Pool) {
  const read: number[] = []
  const plans: string[] = []
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>
    client.query = (async (...args: unknown[]) => {
      const [statement, values] = args
      const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
      if (/delete from "sessions"/.test(text)) {
        await query('begin')
        const { rows } = await query(`explain (analyze, buffers, format json) ${text}`, values)
        await query('rollback')
        const [{ Plan: plan }] = rows[0]['QUERY PLAN']
        plans.push(JSON.stringify(plan))
        read.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
      }
      return query(...args)
    }) as typeof client.query // the same, once it was explained
  })
  return { read, plans }
}

/** Databases that survive a process, and how to open them again. */
const LASTING: readonly {
  readonly name: string
  readonly isThere: boolean
  readonly prepare: () => Promise<{
    readonly place: string
    readonly adapter: SqlAdapter
    readonly kysely: Kysely<unknown>
    readonly remove?: () => void
  }>
}[] = [
  {
    name: 'SQLite',
    isThere: true,
    async prepare() {
      const folder = mkdtempSync(join(tmpdir(), 'siteauth-upkeep-'))
      const place = join(folder, 'auth.db')
      const kysely = new Kysely<unknown>({
        dialect: new SqliteDialect({ database: await openSqlite(place) }),
      })
      const remove = () => rmSync(folder, { recursive: true })
      return { place, kysely, adapter: SqliteAdapter({ kysely }), remove }
    },
  },
  {
    name: 'PostgreSQL',
    isThere: POSTGRES_URL !== undefined,
    async prepare() {
      const place = await createPostgresDatabase()
      const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString: place }) })
      const kysely = new Kysely<unknown>({ dialect })
      return { place, kysely, adapter: PostgresAdapter({ kysely }) }
    },
  },
]

describe('a process that is killed while it removes expired rows', () => {
  let child: BuiltChild
  beforeAll(async () => {
    child = await buildChild(join(import.meta.dirname, 'child.ts'))
  }, 60_000)
  afterAll(() => child.remove())

  for (const { name, isThere, prepare } of LASTING) {
    it.skipIf(!isThere)(`leaves the others to be removed later, in ${name}`, async () => {
      const { place, adapter, kysely, remove } = await prepare()
      await adapter.migrations.apply()
      const many = 8000
      await addOldAttempts(kysely, many, 2 * DAY)
      await addOldRevocations(kysely, many, 2 * DAY)
      await adapter.limiter.take('live', RULE, Date.now())
      const running = child.run([name, place])
      const left = () => countRows(kysely, 'revocations')
      await vi.waitUntil(async () => (await left()) < many, { timeout: 30_000, interval: 1 })
      running.process.kill('SIGKILL')
      expect((await running.ended).signal).toBe('SIGKILL')
      expect(await left()).toBeGreaterThan(0)
      expect(await adapter.deleteExpired()).toBeGreaterThan(0)
      expect([await left(), await countRows(kysely, 'limits')]).toEqual([0, 1])
      expect(await adapter.limiter.take('live', RULE, Date.now())).toBeGreaterThan(0)
      await kysely.destroy()
      remove?.()
    })
  }
})
