import { Redis } from 'ioredis'
import type { CompleteAdapter } from '../src/memory.ts'
import { MemoryAdapter } from '../src/memory.ts'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { RedisAdapter } from '../src/redis.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
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
      const adapter = PostgresAdapter({ url: await createPostgresDatabase() })
      await adapter.migrations.apply()
      return { adapter, close: () => adapter.close() }
    },
  },
  {
    name: 'MySQL',
    isThere: MYSQL_URL !== undefined,
    async open() {
      const adapter = MysqlAdapter({ url: await createMysqlDatabase() })
      await adapter.migrations.apply()
      return { adapter, close: () => adapter.close() }
    },
  },
  {
    name: 'Redis',
    isThere: REDIS_URL !== undefined,
    async open() {
      const client = new Redis(String(REDIS_URL))
      const adapter = RedisAdapter({ client, prefix: `${crypto.randomUUID()}:` })
      return { adapter, close: () => client.disconnect() }
    },
  },
]
