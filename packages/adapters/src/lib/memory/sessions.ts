import type { SessionMethods } from '../adapter-methods.ts'
import { definedMembers } from './copy-record.ts'
import { type MemoryTables, removeWhere } from './tables.ts'

export function memorySessions({ sessions, users }: MemoryTables): SessionMethods {
  return {
    createSession(session) {
      if (sessions.has(session.sessionToken)) throw new Error('this session exists already')
      sessions.set(session.sessionToken, { ...session })
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
      if (isRenewed) Object.assign(session, { expires, lastSeenAt: now })
      return { session: { ...session }, user: { ...user }, isRenewed }
    },
    updateSession(changes) {
      const session = sessions.get(changes.sessionToken)
      return session ? { ...Object.assign(session, definedMembers(changes)) } : null
    },
    deleteSession(sessionToken) {
      const session = sessions.get(sessionToken)
      sessions.delete(sessionToken)
      return session ?? null
    },
    async listSessions(userId, limit) {
      const now = Date.now()
      return [...sessions.values()]
        .filter(session => session.userId === userId && session.expires.getTime() > now)
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
        .map(session => ({ ...session }))
    },
    deleteSessions: async userId => removeWhere(sessions, session => session.userId === userId),
    async deleteOtherSessions({ userId, sessionToken, successors = [] }) {
      const excluded = new Set([sessionToken, ...successors])
      return removeWhere(sessions, session => {
        return session.userId === userId && !excluded.has(session.sessionToken)
      })
    },
  }
}
