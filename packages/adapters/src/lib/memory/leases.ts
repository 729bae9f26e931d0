import type { LeaseMethods } from '../adapter-methods.ts'
import { isOfUnlink } from '../lease-holder.ts'
import { accountKey } from './accounts.ts'
import { copyAccount, definedMembers } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memoryLeases({ accounts, leases }: MemoryTables): LeaseMethods {
  return {
    async updateAccount(changes, held) {
      const key = accountKey(changes)
      const account = accounts.get(key)
      if (!account || (held && leases.get(key)?.holder !== held.holder)) return null
      if (held || !isOfUnlink(leases.get(key)?.holder ?? '')) leases.delete(key)
      return copyAccount(accounts.update(key, definedMembers(changes)) ?? account)
    },
    async leaseAccount(named, lease) {
      const key = accountKey(named)
      const account = accounts.get(key)
      const current = leases.get(key)
      const isLeased = current && current.until > lease.now && current.holder !== lease.holder
      if (!account || isLeased) return null
      leases.set(key, lease)
      return copyAccount(account)
    },
  }
}
