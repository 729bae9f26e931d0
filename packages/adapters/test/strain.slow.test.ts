import mysqlCallback from 'mysql2'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../../core/test/visitor.ts'
import type { CompleteAdapter } from '../src/memory.ts'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'

const EXPIRES = new Date(Date.now() + 86_400_000)
const TIMEOUT = 2000
const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

interface Strained {
  readonly adapter: CompleteAdapter
  /** Locks the table of sessions, until the result is called. */
  readonly lock: () => Promise<() => Promise<unknown>>
  readonly close: () => Promise<unknown>
}

interface Limits {
  readonly connections?: number
  readonly level?: (typeof LEVELS)[number]
  readonly timeout?: number
}

async function openPostgres({
  connections = 10,
  level,
  timeout: timeoutMilliseconds = 10_000,
}: Limits): Promise<Strained> {
  const url = await createPostgresDatabase()
  const options = level && {
    options: `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`,
  }
  const pool = new pg.Pool({ connectionString: url, max: connections, ...options })
  const adapter = PostgresAdapter({ pool, timeoutMilliseconds })
  await adapter.migrations.apply()
  return {
    adapter,
    async lock() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('begin; lock table sessions in access exclusive mode')
      return () => client.end()
    },
    close: () => pool.end(),
  }
}

async function openMysql({
  connections = 10,
  level,
  timeout: timeoutMilliseconds = 10_000,
}: Limits): Promise<Strained> {
  const url = await createMysqlDatabase()
  const pool = mysqlCallback.createPool({ uri: url, connectionLimit: connections })
  if (level)
    pool.on(
      'connection',
      made => void made.query(`set session transaction isolation level ${level}`),
    )
  const adapter = MysqlAdapter({ pool, timeoutMilliseconds })
  await adapter.migrations.apply()
  return {
    adapter,
    async lock() {
      const connection = await mysql.createConnection(url)
      await connection.query('lock tables sessions write')
      return () => connection.end()
    },
    close: () => pool.promise().end(),
  }
}

const STORES = [
  { name: 'PostgreSQL', isThere: POSTGRES_URL !== undefined, open: openPostgres },
  { name: 'MySQL', isThere: MYSQL_URL !== undefined, open: openMysql },
]

/** What many people do at once. Rejects if any of it fails. */
async function doEverything(
  { passwords, ...adapter }: CompleteAdapter,
  people: number,
): Promise<void> {
  const key = (index: number) => `s:${index}`
  await Promise.all(
    Array.from({ length: people }, async (_, index) => {
      const id = `person-${index}`
      await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
      const account = {
        provider: 'github',
        providerAccountId: id,
        userId: id,
        type: 'oauth' as const,
      }
      await adapter.linkAccount(account)
      const tokens = [1, 2, 3].map(number => `${id}-${number}`)
      await Promise.all(
        tokens.map(async sessionToken =>
          adapter.createSession({ sessionToken, userId: id, expires: EXPIRES }),
        ),
      )
      await adapter.getAndRenewSession(tokens[0] ?? '', {
        now: new Date(),
        dueUntil: EXPIRES,
        dueAfter: EXPIRES,
        expires: EXPIRES,
      })
      await adapter.deleteOtherSessions({ userId: id, sessionToken: tokens[0] ?? '' })
      await adapter.limiter.take('one for all', { burst: 1000, refillSeconds: 1 }, Date.now())
      // More than one statement can take, so that it takes a transaction; and a key that all of them write.
      const entries = Array.from({ length: 1100 }, (__, at) => ({
        key: key(at + index * 2000),
        until: EXPIRES,
      }))
      await adapter.revocations.end([
        ...entries,
        { key: 'u:all', until: EXPIRES, isGeneration: true },
      ])
      const lease = { holder: id, until: EXPIRES, now: new Date() }
      await adapter.leaseAccount(account, lease)
      await passwords.set({ userId: id, hash: 'h', changedAt: new Date() })
      await adapter.deleteSessions(id)
      await adapter.deleteUser(id)
    }),
  )
}

for (const { name, isThere, open } of STORES) {
  describe.skipIf(!isThere)(`${name} under strain`, () => {
    it('serves many people with a pool of one connection', async () => {
      const { adapter, close } = await open({ connections: 1 })
      await doEverything(adapter, 5)
      await close()
    })

    it.each(LEVELS)('serves many people at once at the level %s', async level => {
      const { adapter, close } = await open({ level })
      await doEverything(adapter, 10)
      await close()
    })

    it('answers 503 within seconds while the table of sessions is locked, and works afterwards', async () => {
      const { adapter, lock, close } = await open({ timeout: TIMEOUT })
      const user = await adapter.createUser({
        id: 'ann',
        email: 'ann@example.com',
        emailVerified: null,
      })
      const auth = createTestAuth({
        adapter,
        providers: [
          { id: 'key', name: 'Key', type: 'credentials', credentials: {}, authorize: () => user },
        ],
      })
      const ann = new Visitor(auth.handle)
      await ann.post('/callback/key', {})
      const unlock = await lock()
      const began = performance.now()
      expect((await ann.get('/session')).status).toBe(503)
      // Twice the timeout, and as much again for a busy machine.
      expect(performance.now() - began).toBeLessThan(4 * TIMEOUT)
      await unlock()
      expect(await ann.session()).toMatchObject({ user: { email: 'ann@example.com' } })
      await close()
    })
  })
}
