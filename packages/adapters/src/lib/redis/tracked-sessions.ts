import type { TrackedSession, TrackedSessions } from '@siteauth/core/adapters'
import { CHUNK, splitInto } from '../in-chunks.ts'
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

  /** By one command: all of them are in the slot of the user. */
  async function readSeveral(userId: string, ids: readonly string[]): Promise<TrackedSession[]> {
    const [first = '', ...others] = ids.map(id => sessionKey(userId, id))
    const texts = await send('mget', first, ...others)
    // Sound: written by `write`.
    return textsIn(texts).map(text => decodeValue(text) as TrackedSession)
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
      const [session] = await readSeveral(changes.userId, [changes.id])
      return session !== undefined && write({ ...session, ...changes }, true)
    },
    async list(userId, limit) {
      if (limit < 1) return []
      const ids = await readIds(userId, limit - 1)
      let sessions: readonly TrackedSession[] = []
      for (const part of splitInto(ids, CHUNK)) {
        sessions = sessions.concat(await readSeveral(userId, part))
      }
      return sessions
    },
    remove: ({ userId, id }) => remove(userId, [id]),
    removeSeveral: remove,
    removeAll: (userId, except = '') => removeOthers(userId, except),
  }
}

/** The values of a reply, without those of keys that are gone. */
function textsIn(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.filter(each => typeof each === 'string') : []
}
