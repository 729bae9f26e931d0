import { createClient, createCluster, createSentinel } from '@redis/client'
import type { Ending, Revocation, RevocationLog } from '@siteauth/core/adapters'
import { Cluster, Redis } from 'ioredis'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter, type SqlAdapter } from '../../src/postgres.ts'
import { RedisAdapter, type RedisClient } from '../../src/redis.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { openProxy } from '../faults/proxy.ts'
import {
  createPostgresDatabase,
  PGBOUNCER_URL,
  POSTGRES_URL,
  REDIS_CLUSTER,
  REDIS_SENTINEL,
  REDIS_URL,
  throughPgbouncer,
} from '../servers.ts'

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
    const ending = sampleEnding()
    await adapter.revocations.end([ending])
    await watcher.hears(ending)
    await watcher.stop()
  })

  it('says once that the connection was lost, and hears again when it is back', async () => {
    const watcher = await watch(adapter.revocations)
    const { rowCount } = await pool.query(`select pg_terminate_backend(pid) ${LISTENING}`)
    expect(rowCount).toBe(1)
    await watcher.untilLost()
    await expect.poll(() => hearsNow(watcher, adapter.revocations)).toBe(true)
    expect(watcher.losses()).toBe(1)
    await watcher.stop()
  })

  it('says once that it cannot connect, and hears when it can', async () => {
    const proxy = await openProxy(Number(new URL(url).port))
    const own = new URL(url)
    own.port = String(proxy.port)
    await proxy.refuse()
    const cut = PostgresAdapter({ url: own.href })
    const watcher = await watch(cut.revocations)
    expect(watcher.losses()).toBe(1)
    await proxy.heal()
    await expect.poll(() => hearsNow(watcher, adapter.revocations), { timeout: 10_000 }).toBe(true)
    expect(watcher.losses()).toBe(1)
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
    const [first, second] = [sampleEnding(), sampleEnding()]
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
    const least = { connect: () => pool.connect(), end: () => pool.end() }
    expect(PostgresAdapter({ kysely }).revocations.watch).toBeUndefined()
    expect(PostgresAdapter({ pool: least }).revocations.watch).toBeUndefined()
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
        timeout: 1000,
      })
      const watcher = await watch(pooled.revocations)
      expect(watcher.losses()).toBe(1)
      expect(await warned).toContain('PgBouncer')
      const ending = sampleEnding()
      await pooled.revocations.end([ending])
      expect(await pooled.revocations.find([ending.key])).toHaveLength(1)
      await pooled.close()
    },
  )
})

it('is not offered by databases that send no messages', () => {
  const others = [SqliteAdapter({ file: ':memory:' }), MysqlAdapter({ url: 'mysql://localhost' })]
  for (const { revocations } of others) expect(revocations.watch).toBeUndefined()
})

/** A client whose connections go by that name, and how to end it. */
interface Connected {
  readonly client: RedisClient
  readonly end: () => unknown
}

interface RedisCase {
  readonly isThere: boolean
  readonly open: (name: string) => Promise<Connected>
  /** Where its connections may be. */
  readonly servers: () => Promise<readonly string[]>
}

const clusterNodes = (REDIS_CLUSTER ?? '').split(',')
const sentinels = (REDIS_SENTINEL ?? '').split(',').map(address => {
  const [host = '', port] = address.split(':')
  return { host, port: Number(port) }
})
const alone = {
  isThere: REDIS_URL !== undefined,
  servers: async () => [new URL(String(REDIS_URL)).host],
}
const cluster = { isThere: REDIS_CLUSTER !== undefined, servers: async () => clusterNodes }

const REDIS_CLIENTS: Record<string, RedisCase> = {
  ioredis: {
    ...alone,
    async open(connectionName) {
      const client = new Redis(String(REDIS_URL), { connectionName })
      return { client, end: () => client.disconnect() }
    },
  },
  'ioredis, as a Cluster': {
    ...cluster,
    async open(connectionName) {
      const client = new Cluster(clusterNodes, { redisOptions: { connectionName } })
      return { client, end: () => client.disconnect() }
    },
  },
  'ioredis, by Sentinel': {
    isThere: REDIS_SENTINEL !== undefined,
    servers: async () => [await primaryAddress()],
    async open(connectionName) {
      const client = new Redis({ sentinels, name: 'main', connectionName })
      return { client, end: () => client.disconnect() }
    },
  },
  'node-redis': {
    ...alone,
    async open(name) {
      const client = await createClient({ url: String(REDIS_URL), name }).connect()
      return { client, end: () => client.destroy() }
    },
  },
  'node-redis, as a Cluster': {
    ...cluster,
    async open(name) {
      const rootNodes = clusterNodes.map(node => ({ url: `redis://${node}` }))
      const client = createCluster({ rootNodes, defaults: { name } })
      await client.connect()
      return { client, end: () => client.destroy() }
    },
  },
}

for (const [name, { isThere, open, servers }] of Object.entries(REDIS_CLIENTS)) {
  describe.skipIf(!isThere)(`watching Redis, with ${name}`, () => {
    const own = crypto.randomUUID()
    let connected: Connected
    let log: RevocationLog
    beforeAll(async () => {
      connected = await open(own)
      log = RedisAdapter({ client: connected.client, prefix: `${own}:` }).revocations
    })
    afterAll(() => connected.end())

    it('says once that the connection was lost, and hears again when it is back', async () => {
      const watcher = await watch(log)
      expect(await killSubscribers(await servers(), own)).toBe(1)
      await watcher.untilLost()
      await expect.poll(() => hearsNow(watcher, log), { timeout: 10_000 }).toBe(true)
      expect(watcher.losses()).toBe(1)
      await watcher.stop()
    })

    it('ends with the client', async () => {
      const { client, end } = await open(crypto.randomUUID())
      const prefix = `${crypto.randomUUID()}:`
      const watcher = await watch(RedisAdapter({ client, prefix }).revocations)
      await end()
      await watcher.untilLost()
      const other = RedisAdapter({ client: connected.client, prefix }).revocations
      const control = await watch(other)
      const ending = sampleEnding()
      await other.end([ending])
      await control.hears(ending)
      expect(watcher.heard(ending)).toBe(false)
      await control.stop()
    })
  })
}

/** Cuts the connections of that name that hear messages. Answers how many there were. */
async function killSubscribers(servers: readonly string[], name: string): Promise<number> {
  let killed = 0
  for (const server of servers) {
    const admin = new Redis(`redis://${server}`)
    const list = String(await admin.call('client', 'list', 'type', 'pubsub'))
    for (const line of list.split('\n').filter(each => each.includes(`name=${name} `))) {
      const [, id = ''] = /^id=(\d+)/.exec(line) ?? []
      killed += Number(await admin.call('client', 'kill', 'id', id))
    }
    admin.disconnect()
  }
  return killed
}

async function primaryAddress(): Promise<string> {
  const sentinel = new Redis(sentinels[0] ?? {})
  const answer = await sentinel.call('sentinel', 'get-master-addr-by-name', 'main')
  sentinel.disconnect()
  // Sound: its documented answer.
  return (answer as string[]).join(':')
}

describe.skipIf(!REDIS_URL)('watching Redis', () => {
  it('hears nothing of another database of the same server, nor of another prefix', async () => {
    const clients = [
      new Redis(String(REDIS_URL)),
      new Redis(String(REDIS_URL), { db: 1 }),
      new Redis(String(REDIS_URL), { keyPrefix: 'app:' }),
    ]
    const prefix = `${crypto.randomUUID()}:`
    const logs = clients.map(client => RedisAdapter({ client, prefix }).revocations)
    const watchers = await Promise.all(logs.map(watch))
    const endings = logs.map(() => sampleEnding())
    await Promise.all(logs.map((log, at) => log.end([endings[at] ?? sampleEnding()])))
    for (const [at, watcher] of watchers.entries()) {
      await watcher.hears(endings[at] ?? sampleEnding())
    }
    const heard = watchers.map(watcher => endings.map(ending => watcher.heard(ending)))
    expect(heard).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ])
    for (const client of clients) client.disconnect()
  })

  it.skipIf(!REDIS_SENTINEL)('is not offered with what createSentinel makes', () => {
    const client = createSentinel({ name: 'main', sentinelRootNodes: sentinels })
    expect(RedisAdapter({ client }).revocations.watch).toBeUndefined()
  })
})

function sampleEnding(): Ending {
  return { key: `s:${crypto.randomUUID()}`, until: new Date(Date.now() + 3_600_000) }
}

type Watcher = Awaited<ReturnType<typeof watch>>

async function watch(log: RevocationLog) {
  const heard = new Set<string>()
  let losses = 0
  let onChange = () => {}
  const until = (isSo: () => boolean) =>
    new Promise<void>(resolve => {
      onChange = () => {
        if (isSo()) resolve()
      }
      onChange()
    })
  const stop = await log.watch?.(
    ({ key }: Revocation) => {
      heard.add(key)
      onChange()
    },
    () => {
      losses++
      onChange()
    },
  )
  return {
    heard: ({ key }: Ending) => heard.has(key),
    hears: ({ key }: Ending) => until(() => heard.has(key)),
    untilLost: () => until(() => losses > 0),
    losses: () => losses,
    stop: async () => stop?.(),
  }
}

/** Whether something that is ended now has been heard of, or anything since it was asked first. */
async function hearsNow(watcher: Watcher, log: RevocationLog): Promise<boolean> {
  await log.end([HEARD])
  return watcher.heard(HEARD)
}

const HEARD = sampleEnding()
