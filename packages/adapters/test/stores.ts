import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { CompleteAdapter } from '../src/memory.ts'
import { MemoryAdapter } from '../src/memory.ts'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { RedisAdapter } from '../src/redis.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { dumpKeys, dumpTables } from './dump.ts'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
  REDIS_URL,
} from './servers.ts'

/** One of our stores, new and empty, and how to end it. */
export interface OpenStore {
  readonly adapter: CompleteAdapter
  /** Everything that a server stores, each row or key as a text. */
  readonly dump?: () => Promise<string[]>
  readonly close: () => unknown
}

/** Every store of ours, by the name that tests give it. */
export const OUR_STORES: readonly {
  readonly name: string
  readonly isThere: boolean
  readonly open: () => Promise<OpenStore>
}[] = [
  {
    name: 'memory',
    isThere: true,
    open: async () => ({ adapter: MemoryAdapter(), close: () => undefined }),
  },
  {
    name: 'SQLite',
    isThere: true,
    async open() {
      const adapter = SqliteAdapter({ file: ':memory:' })
      return { adapter, close: () => adapter.close() }
    },
  },
  {
    name: 'PostgreSQL',
    isThere: POSTGRES_URL !== undefined,
    async open() {
      const url = await createPostgresDatabase()
      const adapter = PostgresAdapter({ url })
      await adapter.migrations.apply()
      return { adapter, dump: () => dumpPostgres(url), close: () => adapter.close() }
    },
  },
  {
    name: 'MySQL',
    isThere: MYSQL_URL !== undefined,
    async open() {
      const url = await createMysqlDatabase()
      const adapter = MysqlAdapter({ url })
      await adapter.migrations.apply()
      return { adapter, dump: () => dumpMysql(url), close: () => adapter.close() }
    },
  },
  {
    name: 'Redis',
    isThere: REDIS_URL !== undefined,
    async open() {
      const client = new Redis(String(REDIS_URL))
      const prefix = `${crypto.randomUUID()}:`
      const adapter = RedisAdapter({ client, prefix })
      return { adapter, dump: () => dumpKeys(client, prefix), close: () => client.disconnect() }
    },
  },
]

async function dumpPostgres(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const rows = await dumpTables(async text => (await client.query(text)).rows)
  await client.end()
  return rows
}

async function dumpMysql(uri: string): Promise<string[]> {
  const connection = await mysql.createConnection(uri)
  // Sound: what a `select` resolves to.
  const rows = await dumpTables(async text => (await connection.query(text))[0] as unknown[])
  await connection.end()
  return rows
}
