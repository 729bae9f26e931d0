import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { type SqlAdapter, SqliteAdapter } from '../src/sqlite.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'

/** A store whose tables have no foreign keys, so that accounts can outlive their users. */
interface LooseStore {
  readonly adapter: SqlAdapter
  /** Sends a statement. Its rows, if it has any. */
  readonly query: (text: string) => Promise<unknown[]>
  readonly close: () => Promise<unknown>
}

const stores: readonly [name: string, isThere: boolean, open: () => Promise<LooseStore>][] = [
  ['SQLite', true, openSqliteStore],
  ['PostgreSQL', POSTGRES_URL !== undefined, openPostgresStore],
  ['MySQL', MYSQL_URL !== undefined, openMysqlStore],
]

for (const [name, isThere, open] of stores) {
  describe.skipIf(!isThere)(`an account whose user is gone, in ${name}`, () => {
    let store: LooseStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    it('is removed, and the sign-up goes on', async () => {
      const { adapter, query } = store
      const given = signUp()
      const first = await adapter.createUserWithAccount(given)
      await query(`delete from users where id = '${first?.user.id}'`)
      const again = await adapter.createUserWithAccount({ ...given, user: signUp().user })
      expect(again?.user.id).toBeDefined()
      expect((await adapter.getUserByAccount(given.account))?.id).toBe(again?.user.id)
      expect(await adapter.listAccounts(String(first?.user.id))).toEqual([])
    })

    it('is removed when the account is linked', async () => {
      const { adapter, query } = store
      const given = signUp()
      const first = await adapter.createUserWithAccount(given)
      await query(`delete from users where id = '${first?.user.id}'`)
      const { id: userId } = await adapter.createUser(signUp().user)
      await adapter.linkAccount({ ...given.account, userId })
      expect((await adapter.getUserByAccount(given.account))?.id).toBe(userId)
    })

    it('does not let an account be taken from somebody who is there', async () => {
      const { adapter } = store
      const given = signUp()
      const first = await adapter.createUserWithAccount(given)
      expect(
        await adapter.createUserWithAccount({ ...signUp(), account: given.account }),
      ).toBeNull()
      const { id: userId } = await adapter.createUser(signUp().user)
      const link = async () => adapter.linkAccount({ ...given.account, userId })
      await expect(link()).rejects.toThrow()
      expect((await adapter.getUserByAccount(given.account))?.id).toBe(first?.user.id)
    })
  })
}

describe('account ids that a column takes for one another', () => {
  const TAKEN = /providerAccountId.*treats another.*this one/s

  it('are told in SQLite, where nobody is stored or changed', async () => {
    const { adapter, query, close } = await openSqliteStore('collate nocase')
    await expectError(adapter, query)
    await close()
  })

  it.skipIf(!MYSQL_URL)('are told in MySQL, where nobody is stored or changed', async () => {
    const { adapter, query, close } = await openMysqlStore('collate utf8mb4_general_ci')
    await expectError(adapter, query)
    await close()
  })

  async function expectError(adapter: SqlAdapter, query: LooseStore['query']) {
    const { provider } = signUp().account
    const of = (providerAccountId: string) => ({ ...signUp().account, providerAccountId })
    const first = await adapter.createUserWithAccount({ ...signUp(), account: of('abc') })
    const attempt = adapter.createUserWithAccount({ ...signUp(), account: of('ABC') })
    await expect(attempt).rejects.toThrow(TAKEN)
    expect(await query('select * from users')).toHaveLength(1)
    expect(await adapter.getUserByAccount({ provider, providerAccountId: 'ABC' })).toBeNull()
    const other = { provider, providerAccountId: 'ABC' }
    expect(await adapter.updateAccount({ ...other, access_token: 'theirs' })).toBeNull()
    expect(await adapter.unlinkAccount(other)).toBeUndefined()
    const account = await adapter.getAccount('abc', provider)
    expect(account).toMatchObject({ userId: first?.user.id })
    expect(account?.access_token).toBeUndefined()
  }
})

async function openSqliteStore(collation = ''): Promise<LooseStore> {
  const { Kysely, SqliteDialect, sql } = await import('kysely')
  const { openSqlite } = await import('../src/lib/sql/sqlite/open-sqlite.ts')
  const database = await openSqlite(':memory:')
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const query = async (text: string) => (await sql.raw(text).execute(kysely)).rows
  for (const table of looseTables('text', collation)) await query(table)
  return { adapter: SqliteAdapter({ kysely }), query, close: () => kysely.destroy() }
}

async function openPostgresStore(): Promise<LooseStore> {
  const pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
  for (const table of looseTables('text')) await pool.query(table.replaceAll('`', '"'))
  const query = async (text: string) => (await pool.query(text)).rows
  const adapter = PostgresAdapter({ pool })
  await adapter.migrations.apply()
  return { adapter, query, close: () => pool.end() }
}

async function openMysqlStore(collation = 'collate utf8mb4_bin'): Promise<LooseStore> {
  const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'Z' }).promise()
  for (const table of looseTables('varchar(100)', collation)) await pool.query(table)
  const query = async (text: string) => (await pool.query(text))[0] as unknown[]
  const adapter = MysqlAdapter({ pool: pool.pool })
  await adapter.migrations.apply()
  return { adapter, query, close: () => pool.end() }
}

function looseTables(text: string, collation = ''): string[] {
  return [
    `create table users (id ${text} primary key, name ${text}, email ${text} unique,
      \`emailVerified\` ${text}, image ${text})`,
    `create table accounts (\`userId\` ${text} not null, type ${text},
      provider ${text} ${collation}, \`providerAccountId\` ${text} ${collation},
      access_token ${text}, primary key (provider, \`providerAccountId\`))`,
  ]
}

function signUp() {
  const id = crypto.randomUUID()
  return {
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth' as const, provider: 'github', providerAccountId: id },
  }
}
