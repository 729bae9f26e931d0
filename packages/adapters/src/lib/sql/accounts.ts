import type { AdapterAccount } from '@siteauth/core/adapters'
import type { AccountMethods } from '../adapter-methods.ts'
import { insertCredential } from './insert-credential.ts'
import type { SqlTables } from './open-tables.ts'
import { textFrom } from './rows/row-values.ts'
import { isSameId } from './rows/user-id.ts'
import { LEASE_COLUMNS } from './schema/tables.ts'
import type { Row } from './statements/statement.ts'

export function sqlAccounts(tables: SqlTables): AccountMethods {
  return {
    async linkAccount(account) {
      const { provider, providerAccountId } = account
      await insertCredential(tables, 'accounts', account, [provider, providerAccountId])
      return account
    },
    async unlinkAccount({ provider, providerAccountId }, only) {
      const id = [provider, providerAccountId]
      const row = only
        ? await tables.removeOf(only.userId, 'accounts', id)
        : await tables.remove('accounts', id)
      return row ? accountFrom(row) : undefined
    },
    async getAccount(providerAccountId, provider) {
      const row = await tables.find('accounts', [provider, providerAccountId])
      return row && accountFrom(row)
    },
    async listAccounts(userId) {
      const key = await tables.userKey(userId)
      if (key === null) return []
      const { rows } = await tables.run(tables.statements.rows.findOfUser('accounts'), [key])
      // A collation may find accounts of other users.
      return rows.map(accountFrom).filter(account => isSameId(account.userId, userId))
    },
  }
}

export function accountFrom(row: Row): AdapterAccount {
  const members = Object.entries(row).filter(
    ([name, value]) => value !== null && name !== 'id' && !LEASE_COLUMNS.includes(name),
  )
  const account: Row = Object.fromEntries(members)
  if (account['expires_at'] !== undefined) account['expires_at'] = Number(account['expires_at'])
  // Sound: the columns of the accounts table.
  return {
    ...account,
    userId: String(row['userId']),
    providerAccountId: textFrom(row['providerAccountId']),
  } as AdapterAccount
}
