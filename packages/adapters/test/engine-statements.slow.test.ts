import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { rotate, Visitor } from '../../core/test/visitor.ts'
import { openSqlite } from '../src/lib/sql/sqlite/open-sqlite.ts'
import { MysqlAdapter, type SqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { createApplication, signIn } from './application.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'

const DAY = 86_400_000

interface Store {
  readonly isThere: boolean
  readonly open: (log: () => void) => Promise<{ kysely: Kysely<unknown>; adapter: SqlAdapter }>
  /** Statements for somebody new, with `begin` and `commit`. */
  readonly signUp: number
  /** Statements for a session that is due: once a day, and where every check renews it. */
  readonly due: { readonly daily: number; readonly always: number }
  /** Statements to end everything of somebody. */
  readonly generation: number
}

const stores: Record<string, Store> = {
  PostgreSQL: {
    isThere: POSTGRES_URL !== undefined,
    async open(log) {
      const pool = new pg.Pool({ connectionString: await createPostgresDatabase(), max: 1 })
      const kysely = new Kysely({ dialect: new PostgresDialect({ pool }), log })
      return { kysely, adapter: PostgresAdapter({ kysely }) }
    },
    // When does the attempt start? Is the account known? Is the address? One statement that stores all three rows. Was the
    // user revoked since, before and after that? Does the account still belong to the user?
    signUp: 7,
    due: { daily: 2, always: 1 },
    generation: 1,
  },
  MariaDB: {
    isThere: MYSQL_URL !== undefined,
    async open(log) {
      const pool = mysql.createPool({
        uri: await createMysqlDatabase(),
        timezone: 'Z',
        connectionLimit: 1,
      })
      const kysely = new Kysely({ dialect: new MysqlDialect({ pool }), log })
      return { kysely, adapter: MysqlAdapter({ kysely }) }
    },
    // Six questions, and a transaction of three insertions.
    signUp: 11,
    // It has no statement that both reads and writes.
    due: { daily: 2, always: 2 },
    // A transaction, for MySQL, which cannot answer what it wrote.
    generation: 3,
  },
  SQLite: {
    isThere: true,
    async open(log) {
      const database = await openSqlite(':memory:')
      const kysely = new Kysely({ dialect: new SqliteDialect({ database }), log })
      return { kysely, adapter: SqliteAdapter({ kysely }) }
    },
    signUp: 11,
    due: { daily: 2, always: 2 },
    generation: 1,
  },
}

/** A store of one connection, and the number of statements that something sends to it. */
async function opened(open: Store['open']) {
  let statements = 0
  const { kysely, adapter } = await open(() => statements++)
  return {
    kysely,
    adapter,
    async count(act: () => unknown): Promise<number> {
      statements = 0
      await act()
      // Behind all others on the one connection, also those that nobody waits for.
      await sql`select 1`.execute(kysely)
      return statements - 1
    },
  }
}

for (const [name, { isThere, open, signUp, due, generation }] of Object.entries(stores)) {
  describe.skipIf(!isThere)(`statements that the engine sends to ${name}`, () => {
    for (const [often, updateAge] of Object.entries({ daily: 86_400, always: 0 })) {
      it(`are those that are needed, where sessions are renewed ${often}`, async () => {
        const { kysely, adapter, count } = await opened(open)
        await adapter.migrations.apply()
        // The tables are looked at once per process.
        await adapter.getUser('nobody')
        let now = Date.now()
        const session = { updateAge }
        const { auth, server } = await createApplication(adapter, { now: () => now, session })
        const visitor = new Visitor(auth.handle)
        expect(await count(() => signIn(server, visitor)), 'sign-up').toBe(signUp)
        if (often === 'daily') {
          expect(await count(() => visitor.session()), 'check').toBe(1)
          now += 2 * DAY
        }
        const renewal = due[often === 'daily' ? 'daily' : 'always']
        expect(await count(() => visitor.session()), 'check that is due').toBe(renewal)
        const csrfToken = await visitor.csrfToken()
        const body = new URLSearchParams({ csrfToken })
        const signOut = () => visitor.send('/signout', { method: 'POST', body })
        // The row is deleted, and then looked for: a rotation may have replaced it meanwhile.
        expect(await count(signOut), 'sign-out').toBe(2)
        expect(await visitor.session()).toBeNull()
        await signIn(server, visitor)
        expect(await count(() => rotate(auth, visitor)), 'rotation').toBe(7)
        await kysely.destroy()
      })
    }

    it('are none more to check a session in a cookie that is tracked, and one more for all else', async () => {
      const counts = { plain: {}, tracked: {} } as Record<string, Record<string, number>>
      for (const [kind, track] of Object.entries({ plain: false, tracked: true })) {
        const { kysely, adapter, count: countOf } = await opened(open)
        await adapter.migrations.apply()
        // The tables are looked at once per process.
        await adapter.getUser('nobody')
        await adapter.revocations.end([{ key: 's:0', until: new Date(Date.now() + DAY) }])
        let now = Date.now()
        const { auth, server } = await createApplication(adapter, {
          now: () => now,
          session: {
            strategy: 'jwt',
            track,
            revocation: { pollSeconds: 60 * 60 * 24 * 365, maxStaleSeconds: 60 * 60 * 24 * 365 },
          },
        })
        const visitor = new Visitor(auth.handle)
        const count = async (what: string, act: () => Promise<unknown>) => {
          counts[kind] = { ...counts[kind], [what]: await countOf(act) }
        }
        const other = new Visitor(auth.handle)
        await signIn(server, visitor)
        await count('sign-in', () => signIn(server, other))
        await countOf(() => visitor.session())
        await count('check', () => visitor.session())
        now += 2 * DAY
        // Once a day, it is stored how long revocations are kept.
        await countOf(() => other.session())
        await count('renewal', () => visitor.session())
        if (track) await count('list', () => visitor.get('/sessions'))
        await count('sign-out', () => visitor.post('/signout'))
        await kysely.destroy()
      }
      const { plain, tracked } = counts
      expect(plain).toMatchObject({ check: 0, renewal: 1, 'sign-out': 1 })
      expect(tracked).toEqual({
        'sign-in': Number(plain?.['sign-in']) + 1,
        check: 0,
        // Is it valid, the list, and is it still valid? Another request may have rotated it meanwhile.
        renewal: 3,
        // Is it valid? Which are there? Which of them were ended?
        list: 3,
        'sign-out': 2,
      })
    })

    it('are one for whatever is ended, found or read of the log', async () => {
      const { kysely, adapter, count } = await opened(open)
      await adapter.migrations.apply()
      const { revocations } = adapter
      // Whatever is asked once per process.
      await revocations.find(['s:0'])
      const until = new Date(Date.now() + DAY)
      const entries = Array.from({ length: 3 }, (_, index) => ({ key: `s:${index}`, until }))
      // What has expired is removed between requests.
      expect(await count(() => revocations.end(entries)), 'the first').toBe(1)
      expect(await count(() => revocations.end(entries)), 'ended').toBe(1)
      const all = [{ key: 'u:1', until, isGeneration: true }]
      expect(await count(() => revocations.end(all)), 'a generation').toBe(generation)
      expect(await count(() => revocations.find(['s:1', 'u:1'])), 'found').toBe(1)
      expect(await count(() => revocations.since(null)), 'all').toBe(1)
      expect(await count(() => revocations.since(until)), 'some').toBe(1)
      await kysely.destroy()
    })
  })
}
