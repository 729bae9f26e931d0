import type { TrackedSession, TrackedSessions } from '@siteauth/core/adapters'
import { CHUNK, inChunks, splitInto } from '../in-chunks.ts'
import type { RedisTables } from './open-tables.ts'
import { decodeValue, encodeValue } from './records/encoding.ts'
import { textsFrom } from './redis-client.ts'
import { SCRIPTS } from './scripts.ts'

/** Sessions in cookies: a list for each user, by when they expire, and a key for each session. */
export function redisTrackedSessions({ send, runScript, keys }: RedisTables): TrackedSessions {
  const listKey = (userId: string) => keys.owned(userId, 'tracked')
  const sessionKey = (userId: string, id: string) => keys.owned(userId, `tracked:${id}`)

  async function write(session: TrackedSession, mustExist: boolean): Promise<boolean> {
    const { id, userId, expires } = session
    const both = [listKey(userId), sessionKey(userId, id)] as const
    const args = [expires.getTime(), id, encodeValue(session), Number(mustExist)]
    return Boolean(await runScript(SCRIPTS.trackSession, both, args))
  }

  async function readIds(userId: string, last: number): Promise<string[]> {
    return textsFrom(await send('zrevrange', listKey(userId), 0, last))
  }

  async function read(userId: string, id: string): Promise<TrackedSession | null> {
    const text = await send('get', sessionKey(userId, id))
    // Sound: written by `write`.
    return typeof text === 'string' ? (decodeValue(text) as TrackedSession) : null
  }

  /** By a script, so that nothing that is added meanwhile loses its place. All of it is in the slot of the user. */
  async function remove(userId: string, ids: readonly string[]): Promise<void> {
    for (const part of splitInto(ids, CHUNK)) {
      const args = [sessionKey(userId, ''), ...part]
      await runScript(SCRIPTS.untrackSessions, [listKey(userId)], args)
    }
  }

  async function removeOthers(userId: string, except: string): Promise<void> {
    const args = [sessionKey(userId, ''), except, CHUNK]
    let removed = CHUNK
    while (removed >= CHUNK) {
      removed = Number(await runScript(SCRIPTS.untrackOthers, [listKey(userId)], args))
    }
  }

  return {
    add: session => write(session, false),
    async renew(changes) {
      const session = await read(changes.userId, changes.id)
      return session !== null && write({ ...session, ...changes }, true)
    },
    async list(userId, limit) {
      if (limit < 1) return []
      const ids = await readIds(userId, limit - 1)
      // Commands that are sent at once travel together.
      const sessions = await inChunks(ids, id => read(userId, id))
      return sessions.filter(session => session !== null)
    },
    remove: ({ userId, id }) => remove(userId, [id]),
    removeSeveral: remove,
    removeAll: (userId, except = '') => removeOthers(userId, except),
  }
}
