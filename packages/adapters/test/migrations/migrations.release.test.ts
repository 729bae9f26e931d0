import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MysqlAdapter } from '../../src/mysql.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { SqliteAdapter } from '../../src/sqlite.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { startPrivately } from '../faults/private-server.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from '../servers.ts'
import { openSqlAdapter } from './databases.ts'
import { DATABASES, folder, queryMysql, queryPostgres, querySqlite, type Row } from './queries.ts'

const PROCESSES = 4
const ROUNDS = 10

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild(join(import.meta.dirname, 'child.ts'))
})
afterAll(() => {
  child.remove()
  rmSync(folder, { recursive: true, force: true })
})

for (const [kind, { isThere, create, query, describe: made }] of Object.entries(DATABASES)) {
  describe.skipIf(!isThere)(`migrations of ${kind}`, () => {
    const migrate = async (place: string) => {
      const adapter = openSqlAdapter(kind, place)
      await adapter.migrations.apply()
      expect(await adapter.migrations.plan()).toEqual([])
      await adapter.close()
      return query(place, made)
    }
    let expected: Row[]
    beforeAll(async () => {
      expected = await migrate(await create())
    })

    it('end the same by several processes at once as by one', async () => {
      const running = Array.from({ length: PROCESSES }, () => child.run([kind]))
      for (let round = 0; round < ROUNDS; round++) {
        const place = await create()
        await Promise.all(
          running.map(async ({ process }) => {
            process.stdin?.write(`${place}\n`)
            if (process.stdout) await once(process.stdout, 'data')
          }),
        )
        expect(await query(place, made)).toEqual(expected)
      }
      for (const { process } of running) process.stdin?.end()
      const ends = await Promise.all(running.map(({ ended }) => ended))
      expect(ends.map(({ code }) => code)).toEqual(Array(PROCESSES).fill(0))
    })

    it('end the same where they were interrupted after any of their steps', async () => {
      const place = await create()
      const adapter = openSqlAdapter(kind, place)
      const steps = await adapter.migrations.plan()
      await adapter.close()
      for (let done = 1; done < steps.length; done += 2) {
        const interrupted = await create()
        await query(interrupted, ...steps.slice(0, done).map(step => step.sql))
        expect(await migrate(interrupted), `after ${done} steps`).toEqual(expected)
      }
    })
  })
}

describe.skipIf(!MYSQL_URL)('migrations of MySQL beside tables of others', () => {
  for (const collation of ['utf8mb4_unicode_ci', 'utf8mb4_general_ci', 'latin1_swedish_ci']) {
    it(`copy the collation of ids: ${collation}`, async () => {
      const place = await createMysqlDatabase()
      const [charset] = collation.split('_')
      await queryMysql(
        place,
        `create table users (id varchar(191) primary key, name text, email varchar(191) unique,
          emailVerified datetime(3), image text) character set ${charset} collate ${collation}`,
      )
      const adapter = MysqlAdapter({ url: place })
      await adapter.migrations.apply()
      expect(await adapter.migrations.plan()).toEqual([])
      await expectToWork(adapter)
      await adapter.close()
    })
  }

  it('answer nobody for an address that only a collation takes for theirs', async () => {
    const place = await createMysqlDatabase()
    await queryMysql(
      place,
      `create table users (id varchar(191) primary key, name text, email varchar(191) unique,
        emailVerified datetime(3), image text) character set utf8mb4 collate utf8mb4_unicode_ci`,
    )
    const adapter = MysqlAdapter({ url: place })
    await adapter.migrations.apply()
    await adapter.createUser({ id: '1', email: 'kay@gmail.example', emailVerified: null })
    for (const other of ['\u212Aay@gmail.example', 'kay@gmáil.example', 'kay@gmail.example ']) {
      expect(await adapter.getUserByEmail(other), other).toBeNull()
    }
    expect((await adapter.getUserByEmail('KAY@gmail.example'))?.id).toBe('1')
    await adapter.close()
  })

  it('know tables that a server keeps in small letters', async context => {
    const server = await startPrivately('MariaDB', ['--lower-case-table-names=1'])
    if (!server) return context.skip('it cannot be started here')
    const tables = { users: 'User', accounts: 'Account', sessions: 'Session' }
    const adapter = MysqlAdapter({ url: server.url.href, tables })
    await adapter.migrations.apply()
    expect(await adapter.migrations.plan()).toEqual([])
    await expectToWork(adapter)
    await adapter.close()
    await server.stop()
  })

  it('trust no index of a part of a column', async () => {
    const place = await createMysqlDatabase()
    await queryMysql(
      place,
      `create table accounts (userId varchar(255), type varchar(255), provider varchar(100),
        providerAccountId varchar(255), unique (provider, providerAccountId(10)))`,
    )
    const adapter = MysqlAdapter({ url: place })
    const plan = await adapter.migrations.plan()
    expect(plan.map(step => step.description)).toContain(
      'create unique index on accounts (provider, providerAccountId)',
    )
    await adapter.close()
  })
})

describe.skipIf(!POSTGRES_URL)('migrations of PostgreSQL beside indexes of others', () => {
  const UNIQUE_ACCOUNT = 'create unique index on accounts (provider, providerAccountId)'
  const ACCOUNTS = `create table accounts ("userId" text, type text, provider text,
    "providerAccountId" text, refresh_token text)`
  const planWith = async (...statements: readonly string[]) => {
    const place = await createPostgresDatabase()
    await queryPostgres(place, ACCOUNTS, ...statements)
    const adapter = PostgresAdapter({ url: place })
    const plan = await adapter.migrations.plan()
    await adapter.close()
    return plan.map(step => step.description)
  }

  it('trust one of whole columns', async () => {
    const index = 'create unique index on accounts (provider, "providerAccountId")'
    expect(await planWith(index)).not.toContain(UNIQUE_ACCOUNT)
  })

  it('trust none of an expression, of some of the rows, or that could not be built', async () => {
    expect(
      await planWith('create unique index on accounts (provider, lower("providerAccountId"))'),
    ).toContain(UNIQUE_ACCOUNT)
    expect(
      await planWith(
        `create unique index on accounts (provider, "providerAccountId") where type = 'oauth'`,
      ),
    ).toContain(UNIQUE_ACCOUNT)
    expect(
      await planWith(
        'create unique index broken on accounts (provider, "providerAccountId")',
        "update pg_index set indisvalid = false where indexrelid = 'broken'::regclass",
      ),
    ).toContain(UNIQUE_ACCOUNT)
  })
})

describe('migrations of SQLite beside indexes of others', () => {
  it('trust none of an expression', async () => {
    const place = await DATABASES.SQLite.create()
    await querySqlite(
      place,
      'create table accounts (userId text, type text, provider text, providerAccountId text)',
      'create unique index one on accounts (provider, lower(providerAccountId))',
    )
    const adapter = SqliteAdapter({ file: place })
    const plan = await adapter.migrations.plan()
    expect(plan.map(step => step.description)).toContain(
      'create unique index on accounts (provider, providerAccountId)',
    )
    await adapter.close()
  })
})

async function expectToWork(adapter: ReturnType<typeof openSqlAdapter>): Promise<void> {
  const id = crypto.randomUUID()
  const session = { sessionToken: id, expires: new Date(Date.now() + 3_600_000) }
  const stored = await adapter.createUserWithAccount({
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth', provider: 'github', providerAccountId: id },
    session,
  })
  expect(stored?.user.id).toBe(id)
  expect((await adapter.getSessionAndUser(id))?.session).toMatchObject(session)
  expect((await adapter.getUserByAccount({ provider: 'github', providerAccountId: id }))?.id).toBe(
    id,
  )
  await adapter.deleteUser(id)
  expect(await adapter.getSessionAndUser(id)).toBeNull()
}
