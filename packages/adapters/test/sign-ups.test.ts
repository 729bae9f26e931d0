import { createAuth } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createFakeServer,
  type FakeServer,
} from '../../core/test/oauth/fake-server.ts'
import { Visitor } from '../../core/test/visitor.ts'
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
      const { auth, server } = await application(store.adapter)
      const visitors = Array.from({ length: 200 }, () => new Visitor(auth.handle))
      await Promise.all(visitors.map(visitor => signIn(server, visitor)))
      const ids = await Promise.all(visitors.map(async visitor => idOf(await visitor.session())))
      expect(ids.every(id => typeof id === 'string')).toBe(true)
      expect(new Set(ids).size).toBe(1)
    })

    it('makes one session of 200 uses of one link', async () => {
      const { auth, sent } = await application(store.adapter)
      const asking = new Visitor(auth.handle)
      await asking.post('/signin/mail', { email: `${name}@example.com` })
      const { searchParams } = new URL(sent[0] ?? '')
      const visitors = Array.from({ length: 200 }, () => new Visitor(auth.handle))
      await Promise.all(
        visitors.map(visitor =>
          visitor.send('/callback/mail', { method: 'POST', body: searchParams }),
        ),
      )
      const sessions = await Promise.all(visitors.map(visitor => visitor.session()))
      expect(sessions.filter(Boolean)).toHaveLength(1)
    })
  })
}

describe.skipIf(!POSTGRES_URL)('statements that the engine sends to PostgreSQL', () => {
  const statements: unknown[] = []
  let pool: pg.Pool
  let now = Date.now()
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    pool.on('connect', client => {
      const query = client.query.bind(client)
      // Sound: the same function, after a note was made of what it is called with.
      client.query = ((...args: Parameters<typeof query>) => {
        statements.push(args[0])
        return query(...args)
      }) as typeof client.query
    })
  })
  afterAll(() => pool.end())

  async function count(act: () => Promise<unknown>): Promise<number> {
    statements.length = 0
    await act()
    return statements.length
  }

  it('are 3 for a new user, 1 for a session, 2 for one that is due, 1 for a sign-out', async () => {
    const adapter = PostgresAdapter({ pool })
    await adapter.migrations.apply()
    const { auth, server } = await application(adapter, () => now)
    // The tables are looked at once per process.
    await signIn(await createFakeServer(), new Visitor(auth.handle)).catch(() => undefined)
    const visitor = new Visitor(auth.handle)
    const warm = new Visitor(auth.handle)
    await adapter.createUser({
      id: crypto.randomUUID(),
      email: 'x@example.com',
      emailVerified: null,
    })
    await warm.session()
    server.faults.claims = claims => ({ ...claims, sub: 'new', email: 'new@example.com' })
    expect(await count(() => signIn(server, visitor))).toBeLessThanOrEqual(3)
    expect(await count(() => visitor.session())).toBe(1)
    now += 2 * 86_400_000
    expect(await count(() => visitor.session())).toBe(2)
    const csrfToken = await visitor.csrfToken()
    const signOut = () =>
      visitor.send('/signout', { method: 'POST', body: new URLSearchParams({ csrfToken }) })
    expect(await count(signOut)).toBe(1)
  })
})

async function application(adapter: Adapter, now: () => number = Date.now) {
  const server = await createFakeServer({ now })
  const sent: string[] = []
  const auth = createAuth(
    {
      secret: 'a test secret that is long enough!',
      adapter,
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        {
          id: 'op',
          name: 'Provider',
          type: 'oidc',
          issuer: server.issuer,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
        },
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          sendVerificationRequest: ({ url }) => void sent.push(url),
        },
      ],
      callbacks: {
        session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
      },
      ports: { fetch: server.fetch, now },
    },
    { env: {} },
  )
  return { auth, server, sent }
}

async function signIn(server: FakeServer, visitor: Visitor): Promise<void> {
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  await visitor.send(`/callback/op?${server.authorize(url)}`)
}

function idOf(session: unknown): unknown {
  const { user } = (session ?? {}) as { user?: { id?: unknown } }
  return user?.id
}
