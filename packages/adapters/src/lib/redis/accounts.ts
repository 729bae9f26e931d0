import type { AccountKey, AdapterAccount } from '@siteauth/core/adapters'
import type { AccountMethods } from '../adapter-methods.ts'
import type { RedisTables } from './open-tables.ts'
import type { FoundRecord } from './records/owned-records.ts'
import type { RecordId } from './redis-keys.ts'

export function redisAccounts(tables: RedisTables): AccountMethods {
  const { records } = tables
  return {
    async linkAccount(account) {
      if (await writeAccount(tables, account)) return account
      throw new Error('this account belongs to a user already')
    },
    async unlinkAccount(account, only) {
      const found = await findAccount(tables, account)
      // The removal names this user's record: if the account moves to another one meanwhile, it stays there.
      if (only && found?.userId !== only.userId) {
        await records.removeStray(accountId(tables, account), only.userId)
        return undefined
      }
      if (!found) return undefined
      const isRemoved = await records.remove(accountId(tables, account), found)
      return isRemoved ? found.record : undefined
    },
    async getAccount(providerAccountId, provider) {
      return (await findAccount(tables, { provider, providerAccountId }))?.record ?? null
    },
    listAccounts: userId => records.list('accounts', userId),
  }
}

export function accountId({ keys }: RedisTables, account: AccountKey): RecordId {
  return { kind: 'accounts', field: keys.accountField(account) }
}

export function findAccount(
  tables: RedisTables,
  account: AccountKey,
): Promise<FoundRecord<AdapterAccount> | null> {
  return tables.records.read(accountId(tables, account))
}

/** Returns false if the account belongs to a user already. */
export function writeAccount(tables: RedisTables, account: AdapterAccount): Promise<boolean> {
  return tables.records.write(accountId(tables, account), account.userId, account)
}
