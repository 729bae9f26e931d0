import type { TrackedSessions } from '@siteauth/core/adapters'
import { type MemoryTables, removeWhere } from './tables.ts'

export function memoryTrackedSessions({ trackedSessions }: MemoryTables): TrackedSessions {
  return {
    add: session => void trackedSessions.set(session.id, { ...session }),
    renew({ id, ...changes }) {
      const session = trackedSessions.get(id)
      if (session) Object.assign(session, changes)
      return session !== undefined
    },
    list: (userId, limit) =>
      [...trackedSessions.values()]
        .filter(session => session.userId === userId && session.expires.getTime() > Date.now())
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
        .map(session => ({ ...session })),
    remove: ({ id }) => void trackedSessions.delete(id),
    removeSeveral(_, ids) {
      for (const id of ids) trackedSessions.delete(id)
    },
    removeAll: (userId, except) =>
      void removeWhere(trackedSessions, session => {
        return session.userId === userId && session.id !== except
      }),
  }
}
