import type { AdapterSession } from '@siteauth/core/adapters'
import type { SessionMethods } from '../adapter-methods.ts'
import { inChunks } from '../in-chunks.ts'
import { deleteEnded } from './delete-ended.ts'
import type { RedisTables } from './open-tables.ts'
import { decodeValue, encodeValue } from './records/encoding.ts'
import { textsFrom } from './redis-client.ts'
import { KEPT_AFTER_EXPIRY, SCRIPTS } from './scripts.ts'

export function redisSessions(tables: RedisTables): SessionMethods {
  const { send, runScript, keys, users } = tables
  const readSession = (sessionToken: string) => findSession(tables, sessionToken)
  return {
    createSession: session => createSession(tables, session),
    async getSessionAndUser(sessionToken) {
      const session = await readSession(sessionToken)
      if (!session) return null
      // Commands that are sent at once travel together.
      const [user, isListed] = await Promise.all([
        users.read(session.userId),
        findInList(tables, session),
      ])
      return user && isListed ? { session, user } : null
    },
    async getAndRenewSession(sessionToken, { now, dueUntil, dueAfter, expires }) {
      const session = await readSession(sessionToken)
      if (!session) return null
      const end = session.expires
      const isDue = end > now && (end <= dueUntil || end > dueAfter)
      const [user, isListed, renewed] = await Promise.all([
        users.read(session.userId),
        findInList(tables, session),
        isDue ? extendSession(tables, session, { expires, lastSeenAt: now }) : null,
      ])
      if (!user || !isListed) return null
      return { session: renewed ?? session, user, isRenewed: renewed !== null }
    },
    async updateSession({ sessionToken, expires, lastSeenAt }) {
      const session = await readSession(sessionToken)
      if (!session) return null
      const seen = lastSeenAt && { lastSeenAt }
      return extendSession(tables, session, { expires: expires ?? session.expires, ...seen })
    },
    async deleteSession(sessionToken) {
      const text = await send('getdel', keys.session(sessionToken))
      if (typeof text !== 'string') return null
      const session = sessionFrom(text)
      await send('zrem', keys.owned(session.userId, 'sessions'), sessionToken)
      return session
    },
    async listSessions(userId, limit) {
      const list = keys.owned(userId, 'sessions')
      const listed = textsFrom(await runScript(SCRIPTS.listedSessions, [list], [limit ?? -1]))
      const sessions = await inChunks(listed, readSession)
      return sessions.filter(session => session !== null)
    },
    deleteSessions: userId => deleteSessions(tables, userId, []),
    deleteOtherSessions: ({ userId, sessionToken, successors = [] }) =>
      deleteSessions(tables, userId, [sessionToken, ...successors]),
  }
}

async function findSession(
  { pointers, keys }: RedisTables,
  sessionToken: string,
): Promise<AdapterSession | null> {
  const text = await pointers.read(keys.session(sessionToken))
  return text === null ? null : sessionFrom(text)
}

/**
 * Whether a session is in the list of its user, without which it is not valid: the keys of sessions are in any slot, so no
 * script could end several of them, but the list is in that of the user.
 */
async function findInList(
  { send, keys }: RedisTables,
  { userId, sessionToken }: AdapterSession,
): Promise<boolean> {
  const score = await send('zscore', keys.owned(userId, 'sessions'), sessionToken)
  return score !== null && score !== undefined
}

/**
 * Lists a session, and stores it afterwards: it is valid from then on, and unless it was taken off the list meanwhile, with all
 * sessions of the user. A process that is killed in between leaves a name in the list, which is in nobody's way.
 */
export async function createSession(
  { send, runScript, keys }: RedisTables,
  session: AdapterSession,
): Promise<AdapterSession> {
  const { sessionToken, userId, expires } = session
  const userKeys = [keys.user(userId), keys.owned(userId, 'sessions')] as const
  if (!(await runScript(SCRIPTS.listSession, userKeys, [expires.getTime(), sessionToken]))) {
    throw new Error('no user has this id')
  }
  const key = keys.session(sessionToken)
  if (!(await send('set', key, encodeValue(session), 'PXAT', storedUntil(expires), 'NX'))) {
    throw new Error('this session exists already')
  }
  return session
}

/** Returns null if the session has ended meanwhile. */
async function extendSession(
  { send, runScript, keys }: RedisTables,
  session: AdapterSession,
  changes: Partial<AdapterSession> & Pick<AdapterSession, 'expires'>,
): Promise<AdapterSession | null> {
  const { sessionToken, userId } = session
  const extended = { ...session, ...changes }
  const { expires } = changes
  const key = keys.session(sessionToken)
  const relisted = [expires.getTime(), sessionToken]
  const [isStored, isListed] = await Promise.all([
    send('set', key, encodeValue(extended), 'XX', 'PXAT', storedUntil(expires)),
    runScript(SCRIPTS.relistSession, [keys.owned(userId, 'sessions')], relisted),
  ])
  return isStored && isListed ? extended : null
}

/** The tokens of a user's sessions, also of those that have expired a moment ago. */
export async function listTokens({ send, keys }: RedisTables, userId: string): Promise<string[]> {
  return textsFrom(await send('zrange', keys.owned(userId, 'sessions'), 0, -1))
}

function storedUntil(expires: Date): number {
  return expires.getTime() + KEPT_AFTER_EXPIRY
}

/**
 * Ends the sessions of a user by one script. Their keys are deleted afterwards.
 *
 * @param excluded the tokens of sessions that stay
 */
async function deleteSessions(
  tables: RedisTables,
  userId: string,
  excluded: readonly string[],
): Promise<number> {
  const list = tables.keys.owned(userId, 'sessions')
  const tokens = textsFrom(await tables.runScript(SCRIPTS.unlistSessions, [list], excluded))
  await deleteEnded(tables, tokens)
  return tokens.length
}

function sessionFrom(text: string): AdapterSession {
  // Sound: written by createSession.
  return decodeValue(text) as AdapterSession
}
