import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PostgresAdapter } from '../../src/postgres.ts'
import { POSTGRES_URL } from '../servers.ts'
import { INDEX_STEPS } from './earlier-indexes.ts'
import { createEarlierDatabase, holdTable, openClient } from './postgres-live.ts'

// What waits for seconds: the rest is in live.slow.test.ts.
describe.skipIf(!POSTGRES_URL)('migrations of PostgreSQL tables in use', () => {
  it('build an index without the lock if the pool has one connection', async () => {
    const url = await createEarlierDatabase()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    onTestFinished(() => kysely.destroy())
    const { migrations } = PostgresAdapter({ kysely })
    expect((await migrations.apply()).map(step => step.description)).toEqual(INDEX_STEPS)
    expect(await migrations.plan()).toEqual([])
  }, 60_000)

  it('let others use a table that they wait for', async () => {
    const url = await createEarlierDatabase()
    const [adapter, client] = [PostgresAdapter({ url }), await openClient(url)]
    onTestFinished(() => adapter.close())
    await adapter.migrations.apply()
    await client.query('alter table sessions drop column label')
    const release = await holdTable(url, 'select count(*) from sessions')
    const applying = adapter.migrations.apply()
    await vi.waitFor(async () => {
      const { rows } = await client.query(
        `select 1 from pg_locks where relation = 'sessions'::regclass
         and mode = 'AccessExclusiveLock' and not granted`,
      )
      expect(rows).toHaveLength(1)
    }, 30_000)
    // Behind the step, which waits for the transaction, which is open until this statement has ended.
    await client.query(`set lock_timeout = '20s'`)
    await client.query('select count(*) from sessions')
    await release()
    expect((await applying).map(step => step.description)).toEqual(['add column label to sessions'])
  }, 60_000)
})
