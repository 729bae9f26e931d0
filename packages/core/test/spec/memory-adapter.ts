import type { Adapter, AdapterSession, AdapterUser } from '@siteauth/core/adapters'

/** A store in memory, what it holds, and the names of the methods that were called. */
export interface MemoryAdapter {
  readonly adapter: Required<
    Pick<
      Adapter,
      | 'createUser'
      | 'getUser'
      | 'getUserByEmail'
      | 'getUserByAccount'
      | 'updateUser'
      | 'linkAccount'
      | 'createSession'
      | 'getSessionAndUser'
      | 'updateSession'
      | 'deleteSession'
    >
  >
  readonly users: Map<string, AdapterUser>
  readonly sessions: Map<string, AdapterSession>
  readonly calls: string[]
}

/** Keeps users and sessions in memory, as far as credentials sign-ins need them. */
export function memoryAdapter(
  people: readonly Omit<AdapterUser, 'emailVerified'>[],
): MemoryAdapter {
  const users = new Map(people.map(each => [each.id, { ...each, emailVerified: null }]))
  const sessions = new Map<string, AdapterSession>()
  const calls: string[] = []

  function called(name: string): void {
    calls.push(name)
  }

  return {
    users,
    sessions,
    calls,
    adapter: {
      async createUser(user) {
        called('createUser')
        users.set(user.id, { ...user, emailVerified: null })
        return user
      },
      async getUser(id) {
        called('getUser')
        return users.get(id) ?? null
      },
      async getUserByEmail(email) {
        called('getUserByEmail')
        return [...users.values()].find(user => user.email === email) ?? null
      },
      async getUserByAccount() {
        called('getUserByAccount')
        return null
      },
      async updateUser(changes) {
        called('updateUser')
        const user = users.get(changes.id)
        if (!user) throw new Error('there is no such user')
        const changed = { ...user, ...changes }
        users.set(user.id, { ...changed, emailVerified: null })
        return changed
      },
      async linkAccount(account) {
        called('linkAccount')
        return account
      },
      async createSession(session) {
        called('createSession')
        if (!users.has(session.userId)) throw new Error('there is no such user')
        sessions.set(session.sessionToken, { ...session })
        return { ...session }
      },
      async getSessionAndUser(sessionToken) {
        called('getSessionAndUser')
        const session = sessions.get(sessionToken)
        const user = session && users.get(session.userId)
        return user ? { session: { ...session }, user: { ...user } } : null
      },
      async updateSession(changes) {
        called('updateSession')
        const session = sessions.get(changes.sessionToken)
        if (!session) return null
        const changed = { ...session, ...changes }
        sessions.set(changed.sessionToken, changed)
        return { ...changed }
      },
      async deleteSession(sessionToken) {
        called('deleteSession')
        const session = sessions.get(sessionToken)
        sessions.delete(sessionToken)
        return session ?? null
      },
    },
  }
}
