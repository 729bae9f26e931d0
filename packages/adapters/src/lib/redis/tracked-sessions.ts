import type { TrackedSession, TrackedSessions } from '@siteauth/core/adapters'
import { decodeValue, encodeValue } from './encoding.ts'
import type { commandsOf, scriptsOf } from './redis-client.ts'

/** What keeping sessions in cookies takes. */
interface TrackedParts {
  readonly send: ReturnType<typeof commandsOf>
  readonly runScript: ReturnType<typeof scriptsOf>
  /** The key of something that a user has: all of one user are in one slot. */
  readonly owned: (userId: string, kind: string) => string
}

/** Sessions in cookies: a list for each user, by when they expire, and a key for each session. */
export function createRedisTracked({ send, runScript, owned }: TrackedParts): TrackedSessions {
  const listKey = (userId: string) => owned(userId, 'tracked')
  const keyOf = (userId: string, id: string) => owned(userId, `tracked:${id}`)

  async function write(session: TrackedSession, mustBeThere: boolean): Promise<boolean> {
    const { id, userId, expires } = session
    const keys = [listKey(userId), keyOf(userId, id)] as const
    const args = [expires.getTime(), id, encodeValue(session), Date.now(), Number(mustBeThere)]
    return Boolean(await runScript(TRACK, keys, args))
  }

  async function idsOf(userId: string, last: number): Promise<string[]> {
    const ids = await send('zrevrange', listKey(userId), 0, last)
    return Array.isArray(ids) ? ids.map(String) : []
  }

  async function read(userId: string, id: string): Promise<TrackedSession | null> {
    const text = await send('get', keyOf(userId, id))
    // Sound: written by `write`.
    return typeof text === 'string' ? (decodeValue(text) as TrackedSession) : null
  }

  async function remove(userId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await Promise.all([
      send('zrem', listKey(userId), ...ids),
      ...ids.map(id => send('del', keyOf(userId, id))),
    ])
  }

  return {
    add: session => write(session, false),
    async renew(changes) {
      const session = await read(changes.userId, changes.id)
      return session !== null && write({ ...session, ...changes }, true)
    },
    async list(userId, limit) {
      if (limit < 1) return []
      const ids = await idsOf(userId, limit - 1)
      // Commands that are sent at once travel together.
      const sessions = await Promise.all(ids.map(id => read(userId, id)))
      return sessions.filter(session => session !== null)
    },
    remove: ({ userId, id }) => remove(userId, [id]),
    async removeAll(userId, except) {
      const ids = await idsOf(userId, -1)
      await remove(
        userId,
        ids.filter(id => id !== except),
      )
    },
  }
}

/** The list ends with the last of its sessions. */
const TRACK = `
if ARGV[5] == '1' and redis.call('exists', KEYS[2]) == 0 then return 0 end
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[4])
redis.call('zadd', KEYS[1], ARGV[1], ARGV[2])
redis.call('set', KEYS[2], ARGV[3], 'PXAT', ARGV[1])
local last = redis.call('zrange', KEYS[1], -1, -1, 'withscores')
if last[2] then redis.call('pexpireat', KEYS[1], last[2]) end
return 1`
