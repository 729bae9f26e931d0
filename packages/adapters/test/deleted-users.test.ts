import { type AdapterAuthenticator, userRevocation } from '@siteauth/core/adapters'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TABLES } from '../src/lib/sql/schema/tables.ts'
import { openSqlite } from '../src/lib/sql/sqlite/open-sqlite.ts'
import { EXPIRING_TABLES, OWNED_TABLES, type OwnedTable } from '../src/lib/table-rules.ts'
import { type CompleteAdapter, MemoryAdapter } from '../src/memory.ts'
import { SqliteAdapter } from '../src/sqlite.ts'
import { type OpenStore, OUR_STORES } from './stores.ts'

const EXPIRES = new Date(Date.now() + 86_400_000)

/** How to fill a table for a user, and how to find what is stored there. */
interface TableCase {
  readonly fill: (adapter: CompleteAdapter, userId: string) => unknown
  readonly find: (adapter: CompleteAdapter, userId: string) => Promise<object>
}

/** A new table with an owner does not compile before it has a case. */
const CASES: Readonly<Record<OwnedTable, TableCase>> = {
  accounts: {
    fill: (adapter, userId) =>
      adapter.linkAccount({ ...sampleAccount(userId), userId, type: 'oauth' }),
    find: async (adapter, userId) => ({
      listed: await adapter.listAccounts(userId),
      found: await adapter.getAccount(`account-${userId}`, 'github'),
      owner: await adapter.getUserByAccount(sampleAccount(userId)),
    }),
  },
  sessions: {
    fill: (adapter, userId) =>
      adapter.createSession({ sessionToken: `session-${userId}`, userId, expires: EXPIRES }),
    find: async (adapter, userId) => ({
      listed: await adapter.listSessions(userId),
      found: await adapter.getSessionAndUser(`session-${userId}`),
    }),
  },
  authenticators: {
    fill: (adapter, userId) => adapter.createAuthenticator(sampleAuthenticator(userId)),
    find: async (adapter, userId) => ({
      listed: await adapter.listAuthenticatorsByUserId(userId),
      found: await adapter.getAuthenticator(`credential-${userId}`),
    }),
  },
  passwords: {
    fill: (adapter, userId) =>
      adapter.passwords.set({ userId, hash: `hash-${userId}`, changedAt: EXPIRES }),
    find: async (adapter, userId) => ({ found: await adapter.passwords.get(userId) }),
  },
  trackedSessions: {
    fill: (adapter, userId) =>
      adapter.trackedSessions.add({ id: `tracked-${userId}`, userId, expires: EXPIRES }),
    find: async (adapter, userId) => ({ listed: await adapter.trackedSessions.list(userId, 10) }),
  },
}

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere)(`deleteUser in ${name}`, () => {
    let store: OpenStore
    let ann: string
    let ben: string
    beforeAll(async () => {
      store = await open()
      ann = await createUser(store.adapter)
      ben = await createUser(store.adapter)
      for (const table of OWNED_TABLES) {
        await CASES[table].fill(store.adapter, ann)
        await CASES[table].fill(store.adapter, ben)
      }
    })
    afterAll(() => store.close())

    it('removes the user from every table, and leaves all that belongs to another user', async () => {
      const { adapter, dump } = store
      const before = await findAll(adapter, ben)
      const dumped = (await dump?.())?.filter(row => row.includes(ben))
      for (const [table, found] of [...before, ...(await findAll(adapter, ann))]) {
        for (const part of Object.values(found)) {
          expect(part, `${table} was not filled`).not.toSatisfy(isNothing)
        }
      }

      await adapter.deleteUser(ann)

      for (const [table, found] of await findAll(adapter, ann)) {
        for (const part of Object.values(found)) expect(part, table).toSatisfy(isNothing)
      }
      expect(await findAll(adapter, ben)).toEqual(before)
      const rows = await dump?.()
      // The log keeps that the sessions of the user were revoked.
      const isLogged = (row: string) => row.includes(userRevocation(ann).key)
      expect(rows?.filter(row => row.includes(ann) && !isLogged(row)) ?? []).toEqual([])
      expect(rows?.filter(row => row.includes(ben))).toEqual(dumped)
      expect(dumped?.length ?? OWNED_TABLES.length).toBeGreaterThanOrEqual(OWNED_TABLES.length)
    })
  })
}

describe('deleteUser, which records in the log', () => {
  it('deletes nothing if the log does not respond', async () => {
    const adapter = MemoryAdapter()
    const id = await createUser(adapter)
    vi.spyOn(adapter.revocations, 'end').mockRejectedValueOnce(new Error('the log is down'))
    await expect(adapter.deleteUser(id)).rejects.toThrow('the log is down')
    expect(await adapter.getUser(id)).toMatchObject({ id })
  })

  it('fails if the log does not respond afterwards, so that it is called again', async () => {
    const adapter = MemoryAdapter()
    const id = await createUser(adapter)
    const { end } = adapter.revocations
    vi.spyOn(adapter.revocations, 'end')
      .mockImplementationOnce(end)
      .mockRejectedValueOnce(new Error('the log is down'))
    await expect(adapter.deleteUser(id)).rejects.toThrow('the log is down')
    expect(await adapter.deleteUser(id)).toBeNull()
  })

  it('goes without it in a database that has no table for it', async () => {
    const database = await openSqlite(':memory:')
    const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
    const adapter = SqliteAdapter({ kysely })
    await adapter.migrations.apply()
    await sql`drop table revocations`.execute(kysely)
    const id = await createUser(adapter)
    await adapter.deleteUser(id)
    expect(await adapter.getUser(id)).toBeNull()
    await kysely.destroy()
  })
})

describe('the tables of SQL', () => {
  it('have an owner exactly where all stores delete rows with their user', () => {
    expect(tablesWith('userId')).toEqual([...OWNED_TABLES].sort())
  })

  it('have an expiry exactly where all stores delete expired rows', () => {
    expect(tablesWith('expires')).toEqual([...EXPIRING_TABLES].sort())
  })

  function tablesWith(column: string): string[] {
    const tables = Object.entries(TABLES).filter(([, { columns }]) => column in columns)
    return tables.map(([key]) => key).sort()
  }
})

async function createUser(adapter: CompleteAdapter): Promise<string> {
  const id = crypto.randomUUID()
  await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
  return id
}

async function findAll(adapter: CompleteAdapter, userId: string) {
  const found: [table: OwnedTable, parts: object][] = []
  for (const table of OWNED_TABLES) {
    found.push([table, await CASES[table].find(adapter, userId)])
  }
  return found
}

function isNothing(found: unknown): boolean {
  return found === null || (Array.isArray(found) && found.length === 0)
}

function sampleAccount(userId: string) {
  return { provider: 'github', providerAccountId: `account-${userId}` }
}

function sampleAuthenticator(userId: string): AdapterAuthenticator {
  return {
    credentialID: `credential-${userId}`,
    userId,
    providerAccountId: `credential-${userId}`,
    credentialPublicKey: 'key',
    counter: 0,
    credentialDeviceType: 'singleDevice',
    credentialBackedUp: false,
    transports: null,
  }
}
