import type { AccountKey, AdapterAccount } from '@siteauth/core/adapters'
import type { AccountMethods } from '../adapter-methods.ts'
import { copyAccount } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memoryAccounts(tables: MemoryTables): AccountMethods {
  const { accounts, leases } = tables
  return {
    linkAccount: account => insertAccount(tables, account),
    unlinkAccount(account, only) {
      const key = accountKey(account)
      const found = accounts.get(key)
      if (only && found?.userId !== only.userId) return undefined
      accounts.delete(key)
      leases.delete(key)
      return found
    },
    getAccount(providerAccountId, provider) {
      const account = accounts.get(accountKey({ provider, providerAccountId }))
      return account ? copyAccount(account) : null
    },
    listAccounts: async userId => accounts.rowsOf(userId).map(copyAccount),
  }
}

export function insertAccount(tables: MemoryTables, account: AdapterAccount): AdapterAccount {
  const key = accountKey(account)
  if (isTaken(tables, account)) throw new Error('this account belongs to a user already')
  tables.accounts.set(key, account)
  tables.leases.delete(key)
  return account
}

/** Whether the account belongs to a user. One whose user is gone may be linked again. */
export function isTaken({ accounts, users }: MemoryTables, account: AccountKey): boolean {
  const found = accounts.get(accountKey(account))
  return found !== undefined && users.has(found.userId)
}

export function accountKey({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}
