import type { Adapter } from '@siteauth/core/adapters'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '../../core/test/visitor.ts'
import { MemoryAdapter } from '../src/memory.ts'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { RedisAdapter } from '../src/redis.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { createApplication, readUserId, signIn } from './application.ts'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
  REDIS_URL,
} from './servers.ts'

interface Store {
  readonly adapter: Adapter
  readonly close: () => unknown
}

const stores: readonly [name: string, isThere: boolean, open: () => Promise<Store>][] = [
  ['memory', true, async () => ({ adapter: MemoryAdapter(), close: () => undefined })],
  [
    'sqlite',
    true,
    async () => {
      const adapter = SqliteAdapter({ file: ':memory:' })
      return { adapter, close: () => adapter.close() }
    },
  ],
  [
    'postgres',
    POSTGRES_URL !== undefined,
    async () => {
      const adapter = PostgresAdapter({ url: await createPostgresDatabase() })
      await adapter.migrations.apply()
      return { adapter, close: () => adapter.close() }
    },
  ],
  [
    'mysql',
    MYSQL_URL !== undefined,
    async () => {
      const adapter = MysqlAdapter({ url: await createMysqlDatabase() })
      await adapter.migrations.apply()
      return { adapter, close: () => adapter.close() }
    },
  ],
  [
    'redis',
    REDIS_URL !== undefined,
    async () => {
      const client = new Redis(String(REDIS_URL))
      const adapter = RedisAdapter({ client, prefix: 'sign-ups:' })
      return { adapter, close: () => client.disconnect() }
    },
  ],
]

for (const [name, isThere, open] of stores) {
  describe.skipIf(!isThere)(`many at the same time, ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    it('makes one user of 200 first sign-ins of one person, all of whom are signed in', async () => {
      const { auth, server } = await createApplication(store.adapter)
      const visitors = Array.from({ length: 200 }, () => new Visitor(auth.handle))
      await Promise.all(visitors.map(visitor => signIn(server, visitor)))
      const ids = await Promise.all(
        visitors.map(async visitor => readUserId(await visitor.session())),
      )
      expect(ids.every(id => typeof id === 'string')).toBe(true)
      expect(new Set(ids).size).toBe(1)
    })

    it('makes one session of 200 uses of one link', async () => {
      const { auth, sent } = await createApplication(store.adapter)
      const requester = new Visitor(auth.handle)
      await requester.post('/signin/mail', { email: `${name}@example.com` })
      const { searchParams } = new URL(sent[0] ?? '')
      const visitors = Array.from({ length: 200 }, () => new Visitor(auth.handle))
      await Promise.all(
        visitors.map(visitor => visitor.post('/callback/mail', Object.fromEntries(searchParams))),
      )
      const sessions = await Promise.all(visitors.map(visitor => visitor.session()))
      expect(sessions.filter(Boolean)).toHaveLength(1)
    })
  })
}
