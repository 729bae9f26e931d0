import type { SessionMethods } from '../adapter-methods.ts'
import { copyRecord, definedMembers } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memorySessions({ sessions, users }: MemoryTables): SessionMethods {
  return {
    createSession(session) {
      if (sessions.has(session.sessionToken)) throw new Error('this session exists already')
      sessions.set(session.sessionToken, session)
      return session
    },
    getSessionAndUser(sessionToken) {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return user ? { session: { ...session }, user: { ...user } } : null
    },
    getAndRenewSession(sessionToken, { now, dueUntil, dueAfter, expires }) {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      if (!user) return null
      const end = session.expires
      const isRenewed = end > now && (end <= dueUntil || end > dueAfter)
      if (isRenewed) sessions.update(sessionToken, { expires, lastSeenAt: now })
      return { session: { ...session }, user: { ...user }, isRenewed }
    },
    updateSession(changes) {
      return copyRecord(sessions.update(changes.sessionToken, definedMembers(changes)))
    },
    deleteSession(sessionToken) {
      const session = sessions.get(sessionToken)
      sessions.delete(sessionToken)
      return session ?? null
    },
    async listSessions(userId, limit) {
      const now = Date.now()
      return sessions
        .rowsOf(userId)
        .filter(session => session.expires.getTime() > now)
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
        .map(session => ({ ...session }))
    },
    deleteSessions: async userId => sessions.deleteOf(userId),
    async deleteOtherSessions({ userId, sessionToken, successors = [] }) {
      const excluded = new Set([sessionToken, ...successors])
      return sessions.deleteOf(userId, session => !excluded.has(session.sessionToken))
    },
  }
}
