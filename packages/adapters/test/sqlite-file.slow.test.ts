import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/lib/sql/sqlite/open-sqlite.ts'
import { SqliteAdapter } from '../src/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'siteauth-sqlite-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file of SQLite that another process has locked', () => {
  it('lets everything else in this process go on, and is written once it is free', async () => {
    const file = join(folder, 'locked.db')
    const adapter = SqliteAdapter({ file })
    await adapter.createUser(user('first'))
    const other = await openSqlite(file)
    other.prepare('begin immediate').run([])
    const written = adapter.createUser(user('second'))
    // Timers run only while nothing holds the thread.
    let turns = 0
    await new Promise<void>(resolve => {
      const timer = setInterval(() => {
        if (++turns < 10) return
        clearInterval(timer)
        resolve()
      }, 10)
    })
    expect((await adapter.getUser('first'))?.id).toBe('first')
    other.prepare('commit').run([])
    expect((await Promise.resolve(written)).id).toBe('second')
    other.close()
    await adapter.close()
  })

  it('is told to be locked, if it stays so', async () => {
    const file = join(folder, 'stuck.db')
    const adapter = SqliteAdapter({ file, timeoutMilliseconds: 200 })
    await adapter.createUser(user('first'))
    const other = await openSqlite(file)
    other.prepare('begin immediate').run([])
    const attempts = [
      () => adapter.createUser(user('second')),
      () => adapter.deleteUser('first'),
      () =>
        adapter.createUserWithAccount({
          user: user('third'),
          account: { type: 'oauth', provider: 'github', providerAccountId: '1' },
        }),
    ]
    for (const attempt of attempts) {
      await expect(Promise.resolve(attempt())).rejects.toThrow(/locked/)
    }
    expect((await adapter.getUser('first'))?.id).toBe('first')
    other.prepare('rollback').run([])
    other.close()
    await adapter.close()
  })
})

describe('a file of SQLite that is full', () => {
  it('says so, keeps what it has, and takes more when there is room', async () => {
    const { Kysely, SqliteDialect, sql } = await import('kysely')
    const database = await openSqlite(join(folder, 'full.db'))
    const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
    const adapter = SqliteAdapter({ kysely })
    await adapter.createUser(user('first'))
    const pages = await sql<{ page_count: number }>`pragma page_count`.execute(kysely)
    await sql.raw(`pragma max_page_count = ${pages.rows[0]?.page_count}`).execute(kysely)
    const image = 'i'.repeat(8_000_000) // more than is kept in memory until the end of a transaction
    const signUp = {
      user: { ...user('second'), image },
      account: { type: 'oauth' as const, provider: 'github', providerAccountId: '1' },
    }
    await expect(adapter.createUserWithAccount(signUp)).rejects.toThrow(/full/)
    await expect(Promise.resolve(adapter.createUser(signUp.user))).rejects.toThrow(/full/)
    expect((await adapter.getUser('first'))?.id).toBe('first')
    await sql`pragma max_page_count = 100000000`.execute(kysely)
    expect((await adapter.createUserWithAccount(signUp))?.user.id).toBe('second')
    await kysely.destroy()
  })
})

function user(id: string) {
  return { id, email: `${id}@example.com`, emailVerified: null }
}
