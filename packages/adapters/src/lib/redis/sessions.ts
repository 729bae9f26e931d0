import type { AdapterSession } from '@siteauth/core/adapters'
import type { SessionMethods } from '../adapter-methods.ts'
import type { RedisTables } from './open-tables.ts'
import { decodeValue, encodeValue } from './records/encoding.ts'
import { textsFrom } from './redis-client.ts'
import { SCRIPTS } from './scripts.ts'

export function redisSessions(tables: RedisTables): SessionMethods {
  const { send, keys, users } = tables
  const readSession = (sessionToken: string) => findSession(tables, sessionToken)
  return {
    createSession: session => createSession(tables, session),
    async getSessionAndUser(sessionToken) {
      const session = await readSession(sessionToken)
      const user = session && (await users.read(session.userId))
      return user ? { session, user } : null
    },
    async getAndRenewSession(sessionToken, { now, dueUntil, dueAfter, expires }) {
      const session = await readSession(sessionToken)
      if (!session) return null
      const end = session.expires
      const isDue = end > now && (end <= dueUntil || end > dueAfter)
      // Commands that are sent at once travel together.
      const [user, renewed] = await Promise.all([
        users.read(session.userId),
        isDue ? extendSession(tables, session, { expires, lastSeenAt: now }) : null,
      ])
      return user ? { session: renewed ?? session, user, isRenewed: renewed !== null } : null
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
      const sessions = await Promise.all((await listTokens(tables, userId, limit)).map(readSession))
      return sessions.filter(session => session !== null)
    },
    deleteSessions: userId => deleteSessions(tables, userId),
    deleteOtherSessions: ({ userId, sessionToken }) => deleteSessions(tables, userId, sessionToken),
  }
}

async function findSession(
  { pointers, keys }: RedisTables,
  sessionToken: string,
): Promise<AdapterSession | null> {
  const text = await pointers.read(keys.session(sessionToken))
  return text === null ? null : sessionFrom(text)
}

/** Lists a session before storing it, so that the list of a user's sessions is never incomplete. */
export async function createSession(
  { send, runScript, keys }: RedisTables,
  session: AdapterSession,
): Promise<AdapterSession> {
  const { sessionToken, userId, expires } = session
  const userKeys = [keys.user(userId), keys.owned(userId, 'sessions')] as const
  const listed = [expires.getTime(), sessionToken, Date.now()]
  if (!(await runScript(SCRIPTS.listSession, userKeys, listed))) {
    throw new Error('no user has this id')
  }
  const text = encodeValue(session)
  if (!(await send('set', keys.session(sessionToken), text, 'PXAT', expires.getTime(), 'NX'))) {
    throw new Error('this session exists already')
  }
  // Again: the list may have been emptied since, and a session that is not listed could not be ended.
  await runScript(SCRIPTS.listSession, userKeys, listed)
  return session
}

/** Returns null if the session has been deleted meanwhile. */
async function extendSession(
  { send, runScript, keys }: RedisTables,
  session: AdapterSession,
  changes: Partial<AdapterSession> & Pick<AdapterSession, 'expires'>,
): Promise<AdapterSession | null> {
  const { sessionToken, userId } = session
  const extended = { ...session, ...changes }
  const time = changes.expires.getTime()
  const [isStored] = await Promise.all([
    send('set', keys.session(sessionToken), encodeValue(extended), 'XX', 'PXAT', time),
    runScript(SCRIPTS.relistSession, [keys.owned(userId, 'sessions')], [time, sessionToken]),
  ])
  return isStored ? extended : null
}

/** The tokens of a user's sessions, of those that expire last first. */
export async function listTokens(
  { send, keys }: RedisTables,
  userId: string,
  limit = 0,
): Promise<string[]> {
  return textsFrom(await send('zrevrange', keys.owned(userId, 'sessions'), 0, limit - 1))
}

/** @param except the token of a session that stays */
async function deleteSessions(
  tables: RedisTables,
  userId: string,
  except?: string,
): Promise<number> {
  const { send, keys } = tables
  const tokens = (await listTokens(tables, userId)).filter(token => token !== except)
  const deleted = await Promise.all(tokens.map(token => send('del', keys.session(token))))
  if (tokens.length > 0) await send('zrem', keys.owned(userId, 'sessions'), ...tokens)
  return deleted.filter(Boolean).length
}

function sessionFrom(text: string): AdapterSession {
  // Sound: written by createSession.
  return decodeValue(text) as AdapterSession
}
