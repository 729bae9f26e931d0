import type { PasswordStore } from '@siteauth/core/adapters'
import type { RedisTables } from './open-tables.ts'
import { SCRIPTS } from './scripts.ts'

/** Passwords, each a hash beside its user. */
export function redisPasswords({ send, runScript, keys }: RedisTables): PasswordStore {
  const passwordKey = (userId: string) => keys.owned(userId, 'password')
  return {
    async get(userId) {
      const found = await send('hmget', passwordKey(userId), 'hash', 'changedAt')
      const [hash, changedAt] = Array.isArray(found) ? found : []
      if (typeof hash !== 'string') return null
      return { userId, hash, changedAt: new Date(Number(changedAt)) }
    },
    async set({ userId, hash, changedAt }, replaces) {
      const args = [hash, changedAt.getTime(), ...(replaces === undefined ? [] : [replaces])]
      return Boolean(await runScript(SCRIPTS.setPassword, [passwordKey(userId)], args))
    },
    async remove(userId, hash) {
      const expected = hash === undefined ? [] : [hash]
      return Boolean(await runScript(SCRIPTS.removePassword, [passwordKey(userId)], expected))
    },
  }
}
