import type { PasswordStore } from '@siteauth/core/adapters'
import { copyRecord } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memoryPasswords({ passwords }: MemoryTables): PasswordStore {
  return {
    get: userId => copyRecord(passwords.get(userId)),
    set(password, replaces) {
      const { userId } = password
      if (replaces !== undefined && passwords.get(userId)?.hash !== replaces) return false
      passwords.set(userId, password)
      return true
    },
    remove(userId, hash) {
      if (hash !== undefined && passwords.get(userId)?.hash !== hash) return false
      return passwords.delete(userId)
    },
  }
}
