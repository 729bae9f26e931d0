import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuth } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { Cluster, Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import type { CompleteAdapter } from '../src/memory.ts'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { RedisAdapter } from '../src/redis.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
  REDIS_CLUSTER,
  REDIS_URL,
} from './servers.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Opens a store as often as it is called, each time with connections of its own. */
type Open = () => CompleteAdapter

const STORES: readonly {
  readonly name: string
  readonly isThere: boolean
  readonly prepare: () => Promise<Open>
}[] = [
  {
    name: 'SQLite',
    isThere: true,
    async prepare() {
      const folder = mkdtempSync(join(tmpdir(), 'siteauth-limits-'))
      closing.push(() => rmSync(folder, { recursive: true }))
      return () => opened(SqliteAdapter({ file: join(folder, 'auth.db') }))
    },
  },
  {
    name: 'PostgreSQL',
    isThere: POSTGRES_URL !== undefined,
    async prepare() {
      const url = await createPostgresDatabase()
      await opened(PostgresAdapter({ url })).migrations.apply()
      return () => opened(PostgresAdapter({ url }))
    },
  },
  {
    name: 'MySQL',
    isThere: MYSQL_URL !== undefined,
    async prepare() {
      const url = await createMysqlDatabase()
      await opened(MysqlAdapter({ url })).migrations.apply()
      return () => opened(MysqlAdapter({ url }))
    },
  },
  {
    name: 'Redis',
    isThere: REDIS_URL !== undefined,
    async prepare() {
      const prefix = `${crypto.randomUUID()}:`
      return () => {
        const client = new Redis(String(REDIS_URL))
        closing.push(() => client.disconnect())
        return RedisAdapter({ client, prefix })
      }
    },
  },
  {
    name: 'a Redis Cluster',
    isThere: REDIS_CLUSTER !== undefined,
    async prepare() {
      const prefix = `${crypto.randomUUID()}:`
      return () => {
        const client = new Cluster(String(REDIS_CLUSTER).split(','))
        closing.push(() => client.disconnect())
        return RedisAdapter({ client, prefix })
      }
    },
  },
]

function opened<Adapter extends { close(): Promise<void> }>(adapter: Adapter): Adapter {
  closing.push(() => adapter.close())
  return adapter
}

for (const { name, isThere, prepare } of STORES) {
  describe.skipIf(!isThere)(`three nodes that share ${name}`, () => {
    it('let five of 200 guesses at once through, and the owner in by a browser that is known', async () => {
      const open = await prepare()
      const guesses: unknown[] = []
      const nodes = [1, 2, 3].map(() => createNode(open(), guesses))
      const [first = createNode(open(), guesses)] = nodes
      const request = visit()
      await first.signIn(request, 'credentials', credentials('right'))
      const setCookies = first.takeSetCookies(request)
      const knownCookie =
        setCookies.find(line => line.includes('siteauth.known'))?.split(';')[0] ?? ''

      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          nodes[index % 3]
            ?.signIn(visit(), 'credentials', credentials('wrong'))
            .then(() => 'in')
            .catch(({ type }) => type),
        ),
      )
      expect(guesses.filter(password => password === 'wrong')).toHaveLength(5)
      expect(outcomes.filter(outcome => outcome === 'TooManyAttempts')).toHaveLength(195)
      for (const node of nodes) {
        const url = await node.signIn(visit(knownCookie), 'credentials', credentials('right'))
        expect(url).toContain('/account')
      }
    }, 60_000)
  })
}

function createNode(adapter: CompleteAdapter, guesses: unknown[]) {
  return createAuth(
    {
      secret: 'a test secret that is long enough!',
      trustHost: true,
      limits: true,
      adapter,
      session: { strategy: 'jwt', revocation: false },
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        Credentials({
          credentials: { username: {}, password: {} },
          authorize({ password }) {
            guesses.push(password)
            return password === 'right' ? { id: 'ann' } : null
          },
        }),
      ],
    },
    { env: { NODE_ENV: 'test' } },
  )
}

function visit(cookie = '') {
  const url = 'https://app.example.com/login'
  return { url, headers: { host: 'app.example.com', ...(cookie && { cookie }) } }
}

function credentials(password: string) {
  return { username: 'ann', password, redirectTo: '/account' }
}
