import type { TrackedSessions } from '@siteauth/core/adapters'
import type { MemoryTables } from './tables.ts'

export function memoryTrackedSessions({ trackedSessions }: MemoryTables): TrackedSessions {
  return {
    add: session => void trackedSessions.set(session.id, session),
    renew: ({ id, ...changes }) => trackedSessions.update(id, changes) !== undefined,
    list: (userId, limit) =>
      trackedSessions
        .rowsOf(userId)
        .filter(session => session.expires.getTime() > Date.now())
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
        .map(session => ({ ...session })),
    remove: ({ id }) => void trackedSessions.delete(id),
    removeSeveral(_, ids) {
      for (const id of ids) trackedSessions.delete(id)
    },
    removeAll: (userId, except) =>
      void trackedSessions.deleteOf(userId, session => session.id !== except),
  }
}
