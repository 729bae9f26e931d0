import type { AdapterUser } from '@siteauth/core/adapters'
import type { UserMethods } from '../adapter-methods.ts'
import { OWNED_TABLES } from '../table-rules.ts'
import type { Send } from './open-database.ts'
import type { SqlTables } from './open-tables.ts'
import type { NewRow } from './rows/row-encoder.ts'
import { dateFrom, textFrom } from './rows/row-values.ts'
import { isSameId } from './rows/user-id.ts'
import { TABLES } from './schema/tables.ts'
import type { Row } from './statements/statement.ts'

export function sqlUsers(tables: SqlTables): UserMethods {
  return {
    createUser: async user => storeUser(tables, await tables.newUser(user)),
    getUser: id => readUser(tables, id),
    getUserByEmail: email => findUserByEmail(tables, email),
    getUserByAccount: account => findUserByAccount(tables, account),
    async updateUser({ id, ...changes }, only) {
      const key = await tables.userKey(id)
      if (key !== null && only?.whileUnproved) await updateUnproved(tables, key, changes)
      const rest = only?.whileUnproved ? {} : changes
      const row = key === null ? null : await tables.update('users', [key], rest)
      if (!row) throw new Error('no user has this id')
      return userFrom(row)
    },
    deleteUser: id => deleteUser(tables, id),
  }
}

async function updateUnproved(tables: SqlTables, key: string, changes: object): Promise<void> {
  const changed = await tables.encode('users', changes)
  if (changed.size === 0) return
  const statement = tables.statements.users.updateUnproved([...changed.keys()])
  await tables.run(statement, [...changed.values(), key])
}

export async function storeUser(
  { statements, run, first }: SqlTables,
  row: NewRow,
  send?: Send,
): Promise<AdapterUser> {
  const statement = statements.users.store([...row.keys()])
  const { rows, insertId } = await run(statement, [...row.values()], send)
  if (rows[0]) return userFrom(rows[0])
  const id = row.get('id') ?? String(insertId)
  return storedUserFrom(await first(statements.rows.find('users'), [id], send))
}

async function readUser(tables: SqlTables, id: string): Promise<AdapterUser | null> {
  const key = await tables.userKey(id)
  if (key === null) return null
  const row = await tables.first(tables.statements.rows.find('users'), [key])
  const user = row && userFrom(row)
  return user && isSameId(user.id, id) ? user : null
}

export async function findUserByEmail(
  { statements, run, canContain }: SqlTables,
  email: string,
): Promise<AdapterUser | null> {
  if (!canContain([email])) return null
  const { rows } = await run(statements.users.findByEmail(), [email])
  const users = rows.map(userFrom)
  // A collation may find zoe@ for zoë@, which is another user.
  const same = users.find(user => user.email === email)
  return same ?? users.find(user => lowerAscii(user.email) === lowerAscii(email)) ?? null
}

async function findUserByAccount(
  { statements, run, canContain }: SqlTables,
  { provider, providerAccountId }: Parameters<UserMethods['getUserByAccount']>[0],
): Promise<AdapterUser | null> {
  if (!canContain([provider, providerAccountId])) return null
  const { rows } = await run(statements.users.findByAccount(), [provider, providerAccountId])
  // A collation may find ABC for abc, which is another account.
  const row = rows.find(
    ({ account_provider, account_id }) =>
      account_provider === provider && textFrom(account_id) === providerAccountId,
  )
  if (!row) return null
  const { account_provider: _, account_id: __, ...user } = row
  return userFrom(user)
}

async function deleteUser(tables: SqlTables, id: string): Promise<AdapterUser | null> {
  const { statements, shapes, run } = tables
  const key = await tables.userKey(id)
  if (key === null) return null
  const user = await readUser(tables, id)
  const existing = await shapes.all()
  await tables.transact(async send => {
    for (const table of OWNED_TABLES) {
      // Tables of Auth.js, and older ones, may lack some of them.
      if (!existing[table]) continue
      // Tracked sessions belong to any text, also to ids that this database does not contain.
      const isUserId = TABLES[table].columns['userId']?.kind === 'userId'
      await run(statements.rows.removeOfUser(table), [isUserId ? key : id], send)
    }
    await run(statements.rows.remove('users'), [key], send)
  })
  return user
}

export function userFrom(row: Row): AdapterUser {
  // Sound: the columns of the users table, with those converted that the contract has types for.
  return {
    ...row,
    id: String(row['id']),
    emailVerified: dateFrom(row['emailVerified']),
  } as AdapterUser
}

export function storedUserFrom(row: Row | null): AdapterUser {
  if (!row) throw new Error('the database did not return the stored row')
  return userFrom(row)
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}
