import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import {
  createPostgresDatabase,
  MYSQL_URL,
  PGBOUNCER_URL,
  POSTGRES_URL,
  throughPgbouncer,
} from '../servers.ts'
import { INDEX_STEPS } from './earlier-indexes.ts'
import { createEarlierMysql } from './mysql-live.ts'
import {
  createEarlierDatabase,
  holdTable,
  newIndexOf,
  newSession,
  openClient,
  TOUCH_SESSIONS,
  waitForBuilder,
} from './postgres-live.ts'

function openAdapter(url: string) {
  const adapter = PostgresAdapter({ url })
  onTestFinished(() => adapter.close())
  return adapter
}

/** The migrations of a process, and the statements that it has sent. */
function openWithLog(url: string) {
  const statements: string[] = []
  const kysely = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    log: event => void statements.push(event.query.sql),
  })
  onTestFinished(() => kysely.destroy())
  return { migrations: PostgresAdapter({ kysely }).migrations, statements }
}

const describeAll = (steps: readonly { readonly description: string }[]) =>
  steps.map(({ description }) => description)

describe.skipIf(!POSTGRES_URL)('migrations of PostgreSQL tables in use', () => {
  let child: BuiltChild
  beforeAll(async () => {
    child = await buildChild(join(import.meta.dirname, 'child.ts'))
  })
  afterAll(() => child.remove())

  it('show what each step blocks', async () => {
    const { migrations } = openAdapter(await createEarlierDatabase())
    const plan = await migrations.plan()
    expect(describeAll(plan)).toEqual(INDEX_STEPS)
    expect(plan.map(({ isOnline }) => isOnline)).toEqual([true, true, true, true])
    expect(plan[0]).toMatchObject({
      sql: 'create index concurrently if not exists "sessions_userId_expires_idx" on "sessions" ("userId", "expires")',
      locks:
        'blocks nothing: sessions is read and written while the index is built; waits for open transactions',
    })
    expect(plan[1]).toMatchObject({
      sql: 'drop index concurrently if exists public."sessions_userId_idx"',
      locks: 'blocks nothing: waits for the transactions that use sessions',
    })
    const client = await openClient(await createPostgresDatabase())
    await client.query('create table users (id text primary key, email text unique)')
    const { database } = client
    const others = openAdapter(new URL(`/${database}`, POSTGRES_URL).href)
    const locks = (await others.migrations.plan()).map(step => `${step.description}: ${step.locks}`)
    expect(locks).toContain('add column name to users: blocks users for a moment')
    expect(locks).toContain('create table sessions: blocks writes to users for a moment')
    expect(locks).toContain('create table limits: blocks nothing')
    expect(locks).toContain('create index on sessions (expires): blocks nothing: the table is new')
  })

  it('do not block a writer while an index is built', async () => {
    const url = await createEarlierDatabase()
    const [adapter, client] = [openAdapter(url), await openClient(url)]
    const release = await holdTable(url, TOUCH_SESSIONS)
    const applying = adapter.migrations.apply()
    const { pid } = await waitForBuilder(client)
    const { rows } = await client.query(
      `select mode, granted from pg_locks where pid = $1 and relation = 'sessions'::regclass`,
      [pid],
    )
    expect(rows).toEqual([{ mode: 'ShareUpdateExclusiveLock', granted: true }])
    // The transaction is open, so the index is not complete, and each statement of this loop ends before the build.
    for (let count = 0; count < 20; count++) {
      const session = await adapter.createSession(newSession())
      expect(await adapter.getSessionAndUser(session.sessionToken)).not.toBeNull()
    }
    expect(await newIndexOf(client)).toMatchObject({ isValid: false })
    await release()
    expect(describeAll(await applying)).toEqual(INDEX_STEPS)
    expect(await adapter.migrations.plan()).toEqual([])
    expect(await adapter.listSessions('ann')).toHaveLength(21)
  })

  it('wait for an index that the server goes on to build when the process was killed', async () => {
    const url = await createEarlierDatabase()
    const client = await openClient(url)
    const release = await holdTable(url, TOUCH_SESSIONS)
    const { process, ended } = child.run(['PostgreSQL'])
    process.stdin?.write(`${url}\n`)
    await waitForBuilder(client)
    const begun = await newIndexOf(client)
    expect(begun?.isValid).toBe(false)
    process.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')

    const { migrations, statements } = openWithLog(url)
    const applying = migrations.apply()
    await vi.waitFor(() => expect(statements.join()).toContain('pg_stat_progress'), 30_000)
    await release()
    await applying
    expect(await newIndexOf(client)).toEqual({ ...begun, isValid: true })
    expect(await migrations.plan()).toEqual([])
  })

  it('drop what a build has left that the server has cancelled, and build it again', async () => {
    const url = await createEarlierDatabase()
    const client = await openClient(url)
    const release = await holdTable(url, TOUCH_SESSIONS)
    const { process, ended } = child.run(['PostgreSQL'])
    process.stdin?.write(`${url}\n`)
    const { pid } = await waitForBuilder(client)
    process.kill('SIGKILL')
    await ended
    await client.query('select pg_terminate_backend($1, 10000)', [pid])
    await release()
    const left = await newIndexOf(client)
    expect(left?.isValid).toBe(false)
    const { migrations } = openAdapter(url)
    const expected = [
      'drop unfinished index sessions_userId_expires_idx of sessions',
      ...INDEX_STEPS,
    ]
    expect(describeAll(await migrations.plan())).toEqual(expected)
    expect(describeAll(await migrations.apply())).toEqual(expected)
    expect(await newIndexOf(client)).toMatchObject({ isValid: true })
    expect(await migrations.plan()).toEqual([])
  })

  it.each(['at once', 'behind PgBouncer'])(
    'build an index once if several processes apply them %s',
    async how => {
      const url = await createEarlierDatabase()
      const client = await openClient(url)
      const release = await holdTable(url, TOUCH_SESSIONS)
      const place = how === 'at once' || !PGBOUNCER_URL ? url : throughPgbouncer(url)
      const processes = Array.from({ length: 4 }, () => openWithLog(place))
      const applying = processes.map(({ migrations }) => migrations.apply())
      await waitForBuilder(client)
      const begun = await newIndexOf(client)
      for (const { statements } of processes) {
        await vi.waitFor(() => expect(statements.join()).toContain('pg_try_advisory'), 30_000)
      }
      await release()
      const steps = (await Promise.all(applying)).flat()
      expect(describeAll(steps).sort()).toEqual([...INDEX_STEPS].sort())
      expect(await newIndexOf(client)).toEqual({ ...begun, isValid: true })
      for (const { migrations } of processes) expect(await migrations.plan()).toEqual([])
      // No lock is left behind on a connection of the pooler.
      const { rows } = await client.query(`select 1 from pg_locks where locktype = 'advisory'`)
      expect(rows).toEqual([])
    },
  )

  it('are complete even if the connection that holds their lock is lost', async () => {
    const url = await createEarlierDatabase()
    const [adapter, client] = [openAdapter(url), await openClient(url)]
    const release = await holdTable(url, TOUCH_SESSIONS)
    const applying = adapter.migrations.apply()
    await waitForBuilder(client)
    await client.query(
      `select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    )
    await release()
    expect(describeAll(await applying)).toEqual(INDEX_STEPS)
    expect(await adapter.migrations.plan()).toEqual([])
  })

  it('leave no index behind that refuses rows, if there are equal rows', async () => {
    const url = await createPostgresDatabase()
    const [adapter, client] = [openAdapter(url), await openClient(url)]
    await adapter.migrations.apply()
    await client.query('alter table users drop constraint users_email_key')
    const add = (id: string) =>
      client.query('insert into users (id, email) values ($1, $2)', [id, 'ann@example.com'])
    await add('1')
    await add('2')
    await expect(adapter.migrations.apply()).rejects.toThrow(
      /^could not create unique index on users \(email\): .*users_email_key/,
    )
    await add('3')
    expect(describeAll(await adapter.migrations.plan())).toEqual([
      'create unique index on users (email)',
    ])
    await client.query(`delete from users where id <> '1'`)
    await adapter.migrations.apply()
    await expect(add('4')).rejects.toThrow('users_email_key')
  })

  it('say what is in the way if an index has the name of another', async () => {
    const url = await createEarlierDatabase()
    const [adapter, client] = [openAdapter(url), await openClient(url)]
    await client.query('create index "sessions_userId_expires_idx" on sessions (label)')
    await expect(adapter.migrations.apply()).rejects.toThrow(
      'could not create index on sessions (userId, expires): the database has something else of that name',
    )
    // The one that it would have replaced is still there.
    const { rows } = await client.query(`select to_regclass('"sessions_userId_idx"') as found`)
    expect(rows[0]?.found).not.toBeNull()
  })
})

describe.skipIf(!MYSQL_URL)('migrations of MySQL tables in use', () => {
  it('replace an index that a foreign key needs, and leave the settings of a connection as they were', async () => {
    const { url, adapter, client } = await createEarlierMysql(1)
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 })
    onTestFinished(() => void pool.end())
    const { migrations } = MysqlAdapter({ pool })
    await pool.promise().query('set session lock_wait_timeout = 77')
    const plan = await migrations.plan()
    expect(plan.map(({ sql }) => sql)).toEqual([
      'create index `sessions_userId_expires_idx` on `sessions` (`userId`, `expires`) algorithm = inplace lock = none',
      'alter table `sessions` drop index `sessions_userId_idx`, algorithm = inplace, lock = none',
      'create index `tracked_sessions_userId_expires_idx` on `tracked_sessions` (`userId`, `expires`) algorithm = inplace lock = none',
      'alter table `tracked_sessions` drop index `tracked_sessions_userId_idx`, algorithm = inplace, lock = none',
    ])
    expect(plan[0]?.locks).toBe(
      'blocks sessions for a moment at the beginning and at the end; it is read and written while the index is built',
    )
    expect(describeAll(await migrations.apply())).toEqual(INDEX_STEPS)
    expect(await migrations.plan()).toEqual([])
    const [settings] = await pool.promise().query('select @@lock_wait_timeout as kept')
    expect(settings).toEqual([{ kept: 77 }])
    await adapter.deleteUser('ann')
    const [left] = await client.query('select 1 from sessions')
    expect(left).toEqual([])
  })
})
