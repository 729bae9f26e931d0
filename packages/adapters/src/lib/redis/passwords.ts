import type { PasswordStore } from '@siteauth/core/adapters'
import type { commandsOf, scriptsOf } from './redis-client.ts'

/** What keeping passwords takes. */
interface PasswordParts {
  readonly send: ReturnType<typeof commandsOf>
  readonly runScript: ReturnType<typeof scriptsOf>
  readonly keyOf: (userId: string) => string
}

/** Passwords, each a hash beside its user. */
export function createRedisPasswords({ send, runScript, keyOf }: PasswordParts): PasswordStore {
  return {
    async get(userId) {
      const found = await send('hmget', keyOf(userId), 'hash', 'changedAt')
      const [hash, changedAt] = Array.isArray(found) ? found : []
      if (typeof hash !== 'string') return null
      return { userId, hash, changedAt: new Date(Number(changedAt)) }
    },
    async set({ userId, hash, changedAt }, replaces) {
      const args = [hash, changedAt.getTime(), ...(replaces === undefined ? [] : [replaces])]
      return Boolean(await runScript(SET, [keyOf(userId)], args))
    },
    remove: async userId => Number(await send('del', keyOf(userId))) > 0,
  }
}

const SET = `
if ARGV[3] and redis.call('hget', KEYS[1], 'hash') ~= ARGV[3] then return 0 end
redis.call('hset', KEYS[1], 'hash', ARGV[1], 'changedAt', ARGV[2])
return 1`
