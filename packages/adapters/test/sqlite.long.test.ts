import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterSuite } from '@siteauth/testing/adapter'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/lib/sql/sqlite/open-sqlite.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { extraMethods } from './extra-methods.ts'

const folder = mkdtempSync(join(tmpdir(), 'siteauth-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const adapter = SqliteAdapter({ file: join(folder, 'auth.db') })
adapterSuite({ name: 'sqlite', create: () => adapter, close: () => adapter.close() })

const other = SqliteAdapter({ file: join(folder, 'other.db') })
extraMethods('sqlite', async () => other)
afterAll(() => other.close())

describe('SQLite', () => {
  it('keeps what it stored when it is opened again', async () => {
    const file = join(folder, 'again.db')
    const before = SqliteAdapter({ file })
    const email = 'ada@example.com'
    const { id } = await before.createUser({ id: '1', email, emailVerified: null })
    await before.close()
    const after = SqliteAdapter({ file })
    expect((await after.getUserByEmail(email))?.id).toBe(id)
    expect(await after.migrations.plan()).toEqual([])
    await after.close()
  })

  it('can be opened by several at once while there is no file yet', async () => {
    const file = join(folder, 'race.db')
    const adapters = Array.from({ length: 5 }, () => SqliteAdapter({ file }))
    const users = await Promise.all(
      adapters.map((adapter, index) =>
        adapter.createUser({ id: `${index}`, email: `${index}@example.com`, emailVerified: null }),
      ),
    )
    expect(users).toHaveLength(5)
    for (const adapter of adapters) await adapter.close()
  })

  it('takes the tables of @auth/drizzle-adapter, where dates are numbers', async () => {
    const drizzle = SqliteAdapter({
      file: join(folder, 'drizzle.db'),
      tables: { users: 'user', accounts: 'account', sessions: 'session' },
    })
    const kysely = await openKysely(join(folder, 'drizzle.db'))
    await sql`create table user (id text primary key, name text, email text unique,
      emailVerified integer, image text)`.execute(kysely)
    await sql`create table session (sessionToken text primary key, userId text not null,
      expires integer not null)`.execute(kysely)
    const emailVerified = new Date(1_800_000_000_123)
    await sql`insert into user (id, email, emailVerified)
      values ('old', 'old@example.com', ${emailVerified.getTime()})`.execute(kysely)
    expect((await drizzle.getUser('old'))?.emailVerified).toEqual(emailVerified)
    const expires = new Date(1_900_000_000_456)
    await drizzle.createSession({ sessionToken: 'token', userId: 'old', expires })
    const { rows } = await sql<{ expires: number }>`select expires from session`.execute(kysely)
    expect(rows).toEqual([{ expires: expires.getTime() }])
    expect((await drizzle.getSessionAndUser('token'))?.session.expires).toEqual(expires)
    await drizzle.close()
    await kysely.destroy()
  })
})

async function openKysely(file: string) {
  const database = await openSqlite(file)
  return new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
}
