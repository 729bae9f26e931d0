import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '@siteauth/core/adapters'
import type pg from 'pg'
import {
  AUTHJS_DRIZZLE_TABLES,
  AUTHJS_KYSELY_TABLES,
  AUTHJS_PG_TABLES,
  AUTHJS_PRISMA_TABLES,
} from '../authjs-tables.ts'

// Each store imports what it needs by itself: a process that is to be killed soon starts fast.

/** An adapter over a place that another process can open as well. */
export interface Store {
  readonly isThere: boolean
  /** Makes the place, with its tables. */
  create(): Promise<string>
  /**
   * `canWrite` is called before anything is sent that changes the store, or may do so. What may not be sent is
   * never answered, either.
   *
   * @param person for whom it is opened: a store that locks more than rows has a place for each
   */
  open(place: string, person: string, canWrite: () => boolean): Promise<OpenStore>
}

interface OpenStore {
  readonly adapter: Adapter
  readonly close: () => unknown
}

export const STORES: Readonly<Record<string, Store>> = {
  sqlite: {
    isThere: true,
    create: async () => mkdtempSync(join(tmpdir(), 'siteauth-interrupted-')),
    async open(folder, person, canWrite) {
      const { Kysely, SqliteDialect } = await import('kysely')
      const { openSqlite } = await import('../../src/lib/sql/sqlite/open-sqlite.ts')
      const { SqliteAdapter } = await import('../../src/sqlite.ts')
      const database = await openSqlite(join(folder, `${person}.db`))
      const prepare = database.prepare.bind(database)
      database.prepare = text => {
        // It answers at once or not at all: what waits elsewhere fails here, and so does all that would mend it.
        if (!isRead(text) && !canWrite()) throw new Error('the process is dead')
        return prepare(text)
      }
      const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
      return { adapter: SqliteAdapter({ kysely }), close: () => kysely.destroy() }
    },
  },
  postgres: {
    isThere: Boolean(process.env['TEST_POSTGRES_URL']),
    async create() {
      const { createPostgresDatabase } = await import('../servers.ts')
      const { PostgresAdapter } = await import('../../src/postgres.ts')
      const url = await createPostgresDatabase()
      const adapter = PostgresAdapter({ url })
      await adapter.migrations.apply()
      await adapter.close()
      return url
    },
    async open(url, _person, canWrite) {
      const { PostgresAdapter } = await import('../../src/postgres.ts')
      const pool = await openPool(url, canWrite)
      return { adapter: PostgresAdapter({ pool }), close: () => pool.end() }
    },
  },
  mysql: {
    isThere: Boolean(process.env['TEST_MYSQL_URL']),
    async create() {
      const { createMysqlDatabase } = await import('../servers.ts')
      const { MysqlAdapter } = await import('../../src/mysql.ts')
      const url = await createMysqlDatabase()
      const adapter = MysqlAdapter({ url })
      await adapter.migrations.apply()
      await adapter.close()
      return url
    },
    async open(uri, _person, canWrite) {
      const { default: mysql } = await import('mysql2')
      const { MysqlAdapter } = await import('../../src/mysql.ts')
      const pool = mysql.createPool({ uri, timezone: 'Z' })
      pool.on('connection', connection => {
        // Sound: the same functions, after something else was done.
        const methods = connection as unknown as Record<string, (...args: unknown[]) => unknown>
        for (const method of ['query', 'execute']) {
          const send = methods[method]?.bind(connection)
          methods[method] = (...args) => {
            // Never is what it calls back with called.
            return isRead(toText(args[0])) || canWrite() ? send?.(...args) : undefined
          }
        }
      })
      return { adapter: MysqlAdapter({ pool }), close: () => pool.promise().end() }
    },
  },
  redis: {
    isThere: Boolean(process.env['TEST_REDIS_URL']),
    create: async () => `interrupted-${crypto.randomUUID()}:`,
    async open(prefix, _person, canWrite) {
      const { Redis } = await import('ioredis')
      const { RedisAdapter } = await import('../../src/redis.ts')
      const client = new Redis(String(process.env['TEST_REDIS_URL']))
      const adapter = RedisAdapter({
        prefix,
        client: {
          call(command, ...args) {
            return REDIS_READS.includes(command) || canWrite()
              ? client.call(command, ...args)
              : never()
          },
        },
      })
      return { adapter, close: () => client.disconnect() }
    },
  },
  '@auth/pg-adapter': published(AUTHJS_PG_TABLES, async pool => {
    const { default: PgAdapter } = await import('@auth/pg-adapter')
    return PgAdapter(pool)
  }),
  '@auth/kysely-adapter': published(AUTHJS_KYSELY_TABLES, async pool => {
    const { KyselyAdapter } = await import('@auth/kysely-adapter')
    const { Kysely, PostgresDialect } = await import('kysely')
    return KyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) }))
  }),
  '@auth/drizzle-adapter': published(AUTHJS_DRIZZLE_TABLES, async pool => {
    const { DrizzleAdapter } = await import('@auth/drizzle-adapter')
    const { drizzle } = await import('drizzle-orm/node-postgres')
    return DrizzleAdapter(drizzle(pool))
  }),
  '@auth/prisma-adapter': published(AUTHJS_PRISMA_TABLES, async pool => {
    const { PrismaAdapter } = await import('@auth/prisma-adapter')
    const { PrismaPg } = await import('@prisma/adapter-pg')
    const { PrismaClient } = await import('../prisma/client.mjs')
    return PrismaAdapter(new PrismaClient({ adapter: new PrismaPg(pool) }))
  }),
}

const REDIS_READS: readonly string[] = ['get', 'hget', 'hgetall', 'hexists', 'zrange']

function published(tables: string, createAdapter: (pool: pg.Pool) => Promise<Adapter>): Store {
  return {
    isThere: Boolean(process.env['TEST_POSTGRES_URL']),
    async create() {
      const { createPostgresDatabase } = await import('../servers.ts')
      const url = await createPostgresDatabase()
      const pool = await openPool(url, () => true)
      await pool.query(tables)
      await pool.end()
      return url
    },
    async open(url, _person, canWrite) {
      const pool = await openPool(url, canWrite)
      return { adapter: await createAdapter(pool), close: () => pool.end() }
    },
  }
}

async function openPool(connectionString: string, canWrite: () => boolean): Promise<pg.Pool> {
  const { default: driver } = await import('pg')
  const pool = new driver.Pool({ connectionString })
  pool.on('connect', client => {
    const query = client.query.bind(client)
    // Sound: the same function, after something else was done.
    client.query = ((...args: Parameters<typeof query>) => {
      return isRead(toText(args[0])) || canWrite() ? query(...args) : never()
    }) as typeof client.query
  })
  return pool
}

const never = () => new Promise<never>(() => {})

function isRead(text: string): boolean {
  return /^\s*(select|set)\b/i.test(text)
}

function toText(query: unknown): string {
  if (typeof query === 'object' && query !== null) {
    if ('text' in query) return String(query.text)
    if ('sql' in query) return String(query.sql)
  }
  return String(query)
}
