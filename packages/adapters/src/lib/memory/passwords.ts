import type { PasswordStore, StoredPassword } from '@siteauth/core/adapters'

/** Passwords, kept in this process. */
export function createMemoryPasswords(): PasswordStore {
  const passwords = new Map<string, StoredPassword>()
  return {
    get(userId) {
      const found = passwords.get(userId)
      return found ? { ...found } : null
    },
    set(password, replaces) {
      const { userId } = password
      if (replaces !== undefined && passwords.get(userId)?.hash !== replaces) return false
      passwords.set(userId, { ...password })
      return true
    },
    remove: userId => passwords.delete(userId),
  }
}
