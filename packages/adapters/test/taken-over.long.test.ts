import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import {
  passwordApplication,
  signIn,
  WRONG,
  whoIsIn,
} from '../../core/test/passwords/application.ts'
import { TABLE, verifiers } from '../../core/test/passwords/old-table.ts'
import { openSqlite } from '../src/lib/sql/sqlite/open-sqlite.ts'
import { SqliteAdapter } from '../src/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'siteauth-taken-over-'))
afterAll(() => rmSync(folder, { recursive: true }))

const USERS = 10_000
const KINDS = Object.entries(TABLE)

describe('a table of ten thousand users, with each old kind of hash', () => {
  it('lets those in who sign in, hashes theirs anew, and leaves all others as they are', async () => {
    const file = join(folder, 'auth.db')
    const adapter = SqliteAdapter({ file })
    await adapter.migrations.apply()
    const old = new Kysely<unknown>({
      dialect: new SqliteDialect({ database: await openSqlite(file) }),
    })
    await takeOver(old)
    const app = passwordApplication({ adapter, session: { strategy: 'database' } }, { verifiers })

    // One of each kind, from all over the table, two browsers at once.
    const sample = KINDS.map(([, [, password]], kind) => {
      const index = kind * 80 * KINDS.length + kind
      return { email: `user-${index}@example.com`, password }
    })
    for (const { email, password } of sample) {
      expect(await signIn(app.visitor(), email, `${password}!`), email).toBe(WRONG)
      const visitors = [app.visitor(), app.visitor()]
      const came = await Promise.all(visitors.map(visitor => signIn(visitor, email, password)))
      expect(came, email).toEqual(['in', 'in'])
      for (const visitor of visitors) expect(await whoIsIn(visitor)).toBe(email)
    }

    const anew = await sql<{ email: string }>`select email from passwords join users
      on users.id = passwords.userId where hash like '$scrypt$%'`.execute(old)
    expect(anew.rows.map(({ email }) => email).sort()).toEqual(
      sample.map(({ email }) => email).sort(),
    )
    const all = await sql<{ count: number }>`select count(*) as count from passwords`.execute(old)
    expect(all.rows).toEqual([{ count: USERS }])
    for (const { email, password } of sample) {
      expect(await signIn(app.visitor(), email, password), email).toBe('in')
    }
    await old.destroy()
    await adapter.close()
  }, 60_000)
})

/** As it would be done by hand: one statement for the users, and one for each kind of hash. */
async function takeOver(database: Kysely<unknown>): Promise<void> {
  await sql`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${USERS - 1})
    insert into users (id, email) select 'u' || n, 'user-' || n || '@example.com' from numbers`.execute(
    database,
  )
  const changedAt = new Date(0).toISOString()
  for (const [kind, [, [hash]]] of KINDS.entries()) {
    await sql`insert into passwords (userId, hash, changedAt)
      select id, ${hash}, ${changedAt} from users
      where cast(substr(id, 2) as integer) % ${KINDS.length} = ${kind}`.execute(database)
  }
}
