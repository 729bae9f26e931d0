import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresAdapter, type SqlAdapter } from '../src/postgres.ts'
import { createPostgresDatabase, POSTGRES_URL } from './servers.ts'

describe.skipIf(!POSTGRES_URL)('statements sent to PostgreSQL', () => {
  const statements: string[] = []
  let pool: pg.Pool
  let adapter: SqlAdapter
  let userId: string

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    pool.on('connect', client => {
      const query = client.query.bind(client)
      // Sound: the same function, after a note was made of what it is called with.
      client.query = ((...args: Parameters<typeof query>) => {
        statements.push(toText(args[0]))
        return query(...args)
      }) as typeof client.query
    })
    adapter = PostgresAdapter({ pool })
    await adapter.migrations.apply()
    const user = await adapter.createUser(sample().user)
    userId = user.id
  })
  afterAll(async () => pool.end())

  it('a session check is one, also for a process that has just started', async () => {
    const { session } = sample()
    await adapter.createSession({ ...session, userId })
    const started = PostgresAdapter({ pool })
    expect(await count(() => started.getSessionAndUser(session.sessionToken))).toBe(1)
  })

  it('a new user with an account and a session is one', async () => {
    expect(await count(() => adapter.createUserWithAccount(sample()))).toBe(1)
  })

  it('a sign-out is one', async () => {
    const { session } = sample()
    await adapter.createSession({ ...session, userId })
    expect(await count(() => adapter.deleteSession(session.sessionToken))).toBe(1)
  })

  it('the use of a one-time token is one', async () => {
    const given = { identifier: 'ada@example.com', token: 'token' }
    expect(await count(() => adapter.useVerificationToken(given))).toBe(1)
  })

  it('one is enough to see whether a session was ended, for a process that has just started', async () => {
    const { revocations } = PostgresAdapter({ pool })
    expect(await count(() => revocations.find(['s:1', 'u:1']))).toBe(1)
    const started = PostgresAdapter({ pool }).revocations
    expect(await count(() => started.since(null))).toBe(1)
    expect(await count(() => started.page?.(null))).toBe(1)
  })

  it('the password of a user is one, also with an id that nobody can have', async () => {
    expect(await count(() => adapter.passwords.get(userId))).toBe(1)
    expect(await count(() => adapter.passwords.get('nobody\0'))).toBe(1)
  })

  async function count(act: () => unknown): Promise<number> {
    statements.length = 0
    await act()
    return statements.length
  }
})

function toText(query: unknown): string {
  return typeof query === 'string' ? query : JSON.stringify(query)
}

function sample() {
  const id = crypto.randomUUID()
  return {
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth' as const, provider: 'github', providerAccountId: id },
    session: { sessionToken: id, expires: new Date(Date.now() + 3_600_000) },
  }
}
