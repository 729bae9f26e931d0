import type { AdapterUser } from '@siteauth/core/adapters'
import type { UserMethods } from '../adapter-methods.ts'
import { OWNED_TABLES } from '../table-rules.ts'
import { accountKey } from './accounts.ts'
import { copyRecord, definedMembers } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memoryUsers(tables: MemoryTables): UserMethods {
  const { users, accounts } = tables
  return {
    createUser: user => ({ ...insertUser(tables, user) }),
    getUser: id => copyRecord(users.get(id)),
    getUserByEmail: email => copyRecord(findUserByEmail(tables, email)),
    getUserByAccount(account) {
      const found = accounts.get(accountKey(account))
      return copyRecord(found && users.get(found.userId))
    },
    updateUser(changes, only) {
      const user = users.get(changes.id)
      if (!user) throw new Error('no user has this id')
      if (only?.whileUnproved && user.emailVerified) return { ...user }
      const owner = changes.email ? findUserByEmail(tables, changes.email) : null
      if (owner && owner !== user) throw new Error(ADDRESS_TAKEN)
      return { ...user, ...users.update(changes.id, definedMembers(changes)) }
    },
    deleteUser(id) {
      const user = users.get(id)
      users.delete(id)
      for (const table of OWNED_TABLES) tables[table].deleteOf(id)
      return copyRecord(user)
    },
  }
}

export function insertUser(
  tables: MemoryTables,
  user: Omit<AdapterUser, 'id'> & { id?: string },
): AdapterUser {
  const { users } = tables
  const stored = { ...user, id: user.id ?? crypto.randomUUID() }
  if (users.has(stored.id)) throw new Error('a user with this id exists already')
  if (stored.email && findUserByEmail(tables, stored.email)) throw new Error(ADDRESS_TAKEN)
  users.set(stored.id, stored)
  return stored
}

export function findUserByEmail({ users }: MemoryTables, email: string): AdapterUser | null {
  return users.rowsOf(email)[0] ?? null
}

const ADDRESS_TAKEN = 'a user with this address exists already'
