import type {
  AccountKey,
  AccountLease,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '@siteauth/core/adapters'
import { createMemoryLimiter } from '@siteauth/core/limits'
import type { CompleteAdapter } from './lib/complete-adapter.ts'
import { createMemoryPasswords } from './lib/memory/passwords.ts'
import { createMemoryRevocations } from './lib/memory/revocations.ts'
import { createMemoryTracked } from './lib/memory/tracked-sessions.ts'

export type { CompleteAdapter, SignedUp, SignUp } from './lib/complete-adapter.ts'

/**
 * Keeps everything in this process, for tests and demos: it is gone when the process ends.
 *
 * ```ts
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 *
 * export const adapter = MemoryAdapter()
 * ```
 */
export function MemoryAdapter(): CompleteAdapter {
  const users = new Map<string, AdapterUser>()
  const accounts = new Map<string, AdapterAccount>()
  const leases = new Map<string, AccountLease>()
  const sessions = new Map<string, AdapterSession>()
  const tokens = new Map<string, VerificationToken>()
  const authenticators = new Map<string, AdapterAuthenticator>()
  const passwords = createMemoryPasswords()
  const revocations = createMemoryRevocations()
  const { tracked, removeExpired: removeExpiredTracked } = createMemoryTracked()

  const userByEmail = (email: string) => find(users, user => user.email === email)
  const userOf = ({ userId }: { userId: string }) => users.get(userId) ?? null

  function insertUser(user: Omit<AdapterUser, 'id'> & { id?: string }): AdapterUser {
    const stored = { ...user, id: user.id ?? crypto.randomUUID() }
    if (users.has(stored.id)) throw new Error('a user with this id exists already')
    if (stored.email && userByEmail(stored.email)) throw new Error(ADDRESS_TAKEN)
    users.set(stored.id, stored)
    return stored
  }

  // One whose user is not there is nobody's.
  function isTaken(account: AccountKey): boolean {
    const found = accounts.get(accountKey(account))
    return found !== undefined && userOf(found) !== null
  }

  function insertAccount(account: AdapterAccount): AdapterAccount {
    const key = accountKey(account)
    if (isTaken(account)) throw new Error('this account belongs to a user already')
    accounts.set(key, { ...account })
    leases.delete(key)
    return account
  }

  return {
    createUser: user => ({ ...insertUser(user) }),
    getUser: id => copy(users.get(id)),
    getUserByEmail: email => copy(userByEmail(email)),
    getUserByAccount(account) {
      const found = accounts.get(accountKey(account))
      return copy(found && userOf(found))
    },
    updateUser(changes) {
      const user = users.get(changes.id)
      if (!user) throw new Error('no user has this id')
      const owner = changes.email ? userByEmail(changes.email) : null
      if (owner && owner !== user) throw new Error(ADDRESS_TAKEN)
      Object.assign(user, defined(changes))
      return { ...user }
    },
    deleteUser(id) {
      const user = users.get(id)
      users.delete(id)
      for (const owned of [accounts, sessions, authenticators]) removeOwned(owned, id)
      tracked.removeAll(id)
      passwords.remove(id)
      return copy(user)
    },

    linkAccount: insertAccount,
    unlinkAccount(account) {
      const found = accounts.get(accountKey(account))
      accounts.delete(accountKey(account))
      leases.delete(accountKey(account))
      return found
    },
    getAccount(providerAccountId, provider) {
      const account = accounts.get(accountKey({ provider, providerAccountId }))
      return account ? withoutNulls(account) : null
    },
    async updateAccount(changes, held) {
      const key = accountKey(changes)
      const account = accounts.get(key)
      if (!account || (held && leases.get(key)?.holder !== held.holder)) return null
      leases.delete(key)
      return withoutNulls(Object.assign(account, defined(changes)))
    },
    async leaseAccount(named, lease) {
      const key = accountKey(named)
      const account = accounts.get(key)
      const earlier = leases.get(key)
      const isTaken = earlier && earlier.until > lease.now && earlier.holder !== lease.holder
      if (!account || isTaken) return null
      leases.set(key, lease)
      return withoutNulls(account)
    },
    listAccounts: async userId =>
      [...accounts.values()].filter(each => each.userId === userId).map(withoutNulls),

    createSession(session) {
      if (sessions.has(session.sessionToken)) throw new Error('this session exists already')
      sessions.set(session.sessionToken, { ...session })
      return session
    },
    getSessionAndUser(sessionToken) {
      const session = sessions.get(sessionToken)
      const user = session && userOf(session)
      return user ? { session: { ...session }, user: { ...user } } : null
    },
    getAndRenewSession(sessionToken, { now, dueUntil, dueAfter, expires }) {
      const session = sessions.get(sessionToken)
      const user = session && userOf(session)
      if (!user) return null
      const end = session.expires
      const isRenewed = end > now && (end <= dueUntil || end > dueAfter)
      if (isRenewed) Object.assign(session, { expires, lastSeenAt: now })
      return { session: { ...session }, user: { ...user }, isRenewed }
    },
    updateSession(changes) {
      const session = sessions.get(changes.sessionToken)
      return session ? { ...Object.assign(session, defined(changes)) } : null
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
    deleteSessions: async userId => removeOwned(sessions, userId),
    deleteOtherSessions: async ({ userId, sessionToken }) =>
      removeWhere(sessions, each => each.userId === userId && each.sessionToken !== sessionToken),

    createVerificationToken(token) {
      if (tokens.has(tokenKey(token))) throw new Error('this token exists already')
      tokens.set(tokenKey(token), { ...token })
      return token
    },
    useVerificationToken(given) {
      const token = tokens.get(tokenKey(given))
      tokens.delete(tokenKey(given))
      return token ?? null
    },

    createAuthenticator(authenticator) {
      const { credentialID } = authenticator
      if (authenticators.has(credentialID)) throw new Error('this credential exists already')
      authenticators.set(credentialID, { ...authenticator })
      return authenticator
    },
    deleteAuthenticator({ credentialID, userId }) {
      const authenticator = authenticators.get(credentialID)
      if (authenticator?.userId !== userId) return null
      authenticators.delete(credentialID)
      return authenticator
    },
    getAuthenticator: credentialID => copy(authenticators.get(credentialID)),
    listAuthenticatorsByUserId: userId =>
      [...authenticators.values()]
        .filter(each => each.userId === userId)
        .map(each => ({ ...each })),
    updateAuthenticatorCounter(credentialID, counter) {
      const authenticator = authenticators.get(credentialID)
      if (!authenticator) throw new Error('no authenticator has this credential')
      return { ...Object.assign(authenticator, { counter }) }
    },

    async deleteExpired() {
      const ended = Date.now() - 86_400_000
      const hasEnded = ({ expires }: { expires: Date }) => expires.getTime() <= ended
      return (
        removeWhere(sessions, hasEnded) +
        removeWhere(tokens, hasEnded) +
        removeExpiredTracked(ended) +
        revocations.removeExpired(Number.POSITIVE_INFINITY)
      )
    },

    revocations: revocations.log,
    extends: ['sessions', 'accounts'],
    trackedSessions: tracked,
    limiter: createMemoryLimiter(),
    passwords,

    async createUserWithAccount({ user, account, session }) {
      if (user.email && userByEmail(user.email)) return null
      if (isTaken(account)) return null
      const stored = insertUser(user)
      const owned = { ...account, userId: stored.id }
      insertAccount(owned)
      const signedIn = session ? { ...session, userId: stored.id } : null
      if (signedIn) sessions.set(signedIn.sessionToken, { ...signedIn })
      return { user: { ...stored }, account: owned, session: signedIn }
    },
  }
}

const ADDRESS_TAKEN = 'a user with this address exists already'

function find<T>(map: Map<string, T>, matches: (value: T) => boolean): T | null {
  for (const value of map.values()) if (matches(value)) return value
  return null
}

function removeOwned(map: Map<string, { userId: string }>, userId: string): number {
  return removeWhere(map, value => value.userId === userId)
}

function removeWhere<T>(map: Map<string, T>, matches: (value: T) => boolean): number {
  const keys = [...map].filter(([, value]) => matches(value)).map(([key]) => key)
  for (const key of keys) map.delete(key)
  return keys.length
}

// A caller that changes what it was given must not change what is stored.
function copy<T extends object>(value: T | null | undefined): T | null {
  return value ? { ...value } : null
}

function defined<T extends object>(value: T): Partial<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  // Sound: some of the members of the same object.
  return Object.fromEntries(entries) as Partial<T>
}

/** A copy without what was emptied. */
function withoutNulls(account: AdapterAccount): AdapterAccount {
  const entries = Object.entries(account).filter(([, member]) => member !== null)
  // Sound: what has to be there is never null.
  return Object.fromEntries(entries) as unknown as AdapterAccount
}

function accountKey({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}

function tokenKey({ identifier, token }: Pick<VerificationToken, 'identifier' | 'token'>): string {
  return JSON.stringify([identifier, token])
}
