import { createClient, createSentinel } from '@redis/client'
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter, type SqlAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { openProxy } from '../faults/proxy.ts'
import {
  createPostgresDatabase,
  PGBOUNCER_URL,
  POSTGRES_URL,
  REDIS_URL,
  throughPgbouncer,
} from '../servers.ts'
import { watchedRedis } from './watched-redis.ts'
import { hearsNow, sampleRevocation, watch } from './watcher.ts'

describe.skipIf(!POSTGRES_URL)('watching PostgreSQL', () => {
  let url: string
  let pool: pg.Pool
  let adapter: SqlAdapter
  beforeAll(async () => {
    url = await createPostgresDatabase()
    pool = new pg.Pool({ connectionString: url, max: 1 })
    adapter = PostgresAdapter({ pool })
    await adapter.migrations.apply()
  })
  afterAll(async () => {
    await adapter.close()
    await pool.end()
  })

  const LISTENING = `from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like 'listen%'`
  const listening = async () => (await pool.query(`select 1 ${LISTENING}`)).rowCount

  it('takes no connection of the pool, not even of one that has but one', async () => {
    const watcher = await watch(adapter.revocations)
    const revocation = sampleRevocation()
    await adapter.revocations.end([revocation])
    await watcher.hears(revocation)
    await watcher.stop()
  })

  it('says once that the connection was lost, and hears again when it is back', async () => {
    const watcher = await watch(adapter.revocations)
    expect(watcher.listenings()).toBe(1)
    const { rowCount } = await pool.query(`select pg_terminate_backend(pid) ${LISTENING}`)
    expect(rowCount).toBe(1)
    await watcher.untilLost()
    await expect.poll(() => hearsNow(watcher, adapter.revocations)).toBe(true)
    expect(watcher.losses()).toBe(1)
    await expect.poll(() => watcher.listenings()).toBe(2)
    await watcher.stop()
  })

  it('says after each interruption of the network that it listens again', async () => {
    const proxy = await openProxy(Number(new URL(url).port))
    const own = new URL(url)
    own.port = String(proxy.port)
    const cut = PostgresAdapter({ url: own.href })
    const watcher = await watch(cut.revocations)
    for (const times of [1, 2]) {
      if (times === 1) await proxy.rejectConnections()
      else proxy.silence()
      const missed = sampleRevocation()
      await adapter.revocations.end([missed])
      await proxy.heal()
      await expect.poll(() => watcher.listenings(), { timeout: 10_000 }).toBe(times + 1)
      expect(watcher.losses()).toBe(times)
      expect(watcher.heard(missed), 'polls read it').toBe(false)
      const next = sampleRevocation()
      await adapter.revocations.end([next])
      await watcher.hears(next)
    }
    await cut.close()
    await proxy.close()
  })

  it('says once that it cannot connect, and hears when it can', async () => {
    const proxy = await openProxy(Number(new URL(url).port))
    const own = new URL(url)
    own.port = String(proxy.port)
    await proxy.rejectConnections()
    const cut = PostgresAdapter({ url: own.href })
    const watcher = await watch(cut.revocations)
    expect(watcher.losses()).toBe(1)
    expect(watcher.listenings()).toBe(0)
    await proxy.heal()
    await expect.poll(() => hearsNow(watcher, adapter.revocations), { timeout: 10_000 }).toBe(true)
    expect(watcher.losses()).toBe(1)
    await expect.poll(() => watcher.listenings()).toBe(1)
    await cut.close()
    await proxy.close()
  })

  it('ends when the adapter is closed', async () => {
    const own = PostgresAdapter({ pool })
    const watcher = await watch(own.revocations)
    expect(await listening()).toBe(1)
    await own.close()
    await expect.poll(listening).toBe(0)
    expect(watcher.losses()).toBe(0)
  })

  it('hears nothing of a table of the same name in another schema', async () => {
    await pool.query('create schema other')
    const tables = { revocations: 'other.revocations', users: 'other.users' }
    const other = PostgresAdapter({ pool, tables })
    await other.migrations.apply()
    const [own, others] = [await watch(adapter.revocations), await watch(other.revocations)]
    const [first, second] = [sampleRevocation(), sampleRevocation()]
    await adapter.revocations.end([first])
    await other.revocations.end([second])
    await own.hears(first)
    await others.hears(second)
    expect(own.heard(second)).toBe(false)
    expect(others.heard(first)).toBe(false)
    await own.stop()
    await other.close()
  })

  it('is not offered where there is no way to a connection of its own', () => {
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const minimal = { connect: () => pool.connect(), end: () => pool.end() }
    expect(PostgresAdapter({ kysely }).revocations.watch).toBeUndefined()
    expect(PostgresAdapter({ pool: minimal }).revocations.watch).toBeUndefined()
  })

  it.skipIf(!PGBOUNCER_URL)(
    'is lost behind a pooler, which is told, and all else works',
    async () => {
      const warned = new Promise(resolve => {
        process.on('warning', function listen(warning: Error & { code?: string }) {
          if (warning.code !== 'SITEAUTH_LISTEN') return
          process.off('warning', listen)
          resolve(warning.message)
        })
      })
      const pooled = PostgresAdapter({
        url: throughPgbouncer(url),
        preparedStatements: false,
        timeoutMilliseconds: 1000,
      })
      const watcher = await watch(pooled.revocations)
      expect(watcher.losses()).toBe(1)
      expect(await warned).toContain('PgBouncer')
      const revocation = sampleRevocation()
      await pooled.revocations.end([revocation])
      expect(await pooled.revocations.find([revocation.key])).toHaveLength(1)
      await pooled.close()
    },
  )
})

it('is not offered by databases that send no messages', () => {
  const others = [SqliteAdapter({ file: ':memory:' }), MysqlAdapter({ url: 'mysql://localhost' })]
  for (const { revocations } of others) expect(revocations.watch).toBeUndefined()
})

describe.skipIf(!REDIS_URL)('Redis', () => {
  const servers = async () => [new URL(String(REDIS_URL)).host]
  watchedRedis(
    'ioredis',
    async connectionName => {
      const client = new Redis(String(REDIS_URL), { connectionName })
      return { client, end: () => client.disconnect() }
    },
    servers,
  )
  watchedRedis(
    'node-redis',
    async name => {
      const client = await createClient({ url: String(REDIS_URL), name }).connect()
      return { client, end: () => client.destroy() }
    },
    servers,
  )

  it('hears nothing of another database of the same server, nor of another prefix', async () => {
    const clients = [
      new Redis(String(REDIS_URL)),
      new Redis(String(REDIS_URL), { db: 1 }),
      new Redis(String(REDIS_URL), { keyPrefix: 'app:' }),
    ]
    const prefix = `${crypto.randomUUID()}:`
    const logs = clients.map(client => RedisAdapter({ client, prefix }).revocations)
    const watchers = await Promise.all(logs.map(watch))
    const revocations = logs.map(() => sampleRevocation())
    await Promise.all(logs.map((log, at) => log.end([revocations[at] ?? sampleRevocation()])))
    for (const [at, watcher] of watchers.entries()) {
      await watcher.hears(revocations[at] ?? sampleRevocation())
    }
    const heard = watchers.map(watcher => revocations.map(revocation => watcher.heard(revocation)))
    expect(heard).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ])
    for (const client of clients) client.disconnect()
  })

  it('is not watched with what createSentinel makes', () => {
    const client = createSentinel({
      name: 'main',
      sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }],
    })
    expect(RedisAdapter({ client }).revocations.watch).toBeUndefined()
  })
})
