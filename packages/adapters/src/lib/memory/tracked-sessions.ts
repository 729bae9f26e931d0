import type { TrackedSession, TrackedSessions } from '@siteauth/core/adapters'

/** Sessions in cookies, kept in this process. */
export function createMemoryTracked(): {
  readonly tracked: TrackedSessions
  /** Removes those that expired at that time or before. Answers how many. */
  removeExpired(time: number): number
} {
  const sessions = new Map<string, TrackedSession>()

  function removeWhere(matches: (session: TrackedSession) => boolean): number {
    const gone = [...sessions.values()].filter(matches)
    for (const { id } of gone) sessions.delete(id)
    return gone.length
  }

  return {
    tracked: {
      add: session => void sessions.set(session.id, { ...session }),
      renew({ id, ...changes }) {
        const session = sessions.get(id)
        if (session) Object.assign(session, changes)
        return session !== undefined
      },
      list: (userId, limit) =>
        [...sessions.values()]
          .filter(each => each.userId === userId && each.expires.getTime() > Date.now())
          .sort((one, other) => other.expires.getTime() - one.expires.getTime())
          .slice(0, limit)
          .map(each => ({ ...each })),
      remove: ({ id }) => void sessions.delete(id),
      removeAll: (userId, except) =>
        void removeWhere(each => each.userId === userId && each.id !== except),
    },
    removeExpired: time => removeWhere(({ expires }) => expires.getTime() <= time),
  }
}
