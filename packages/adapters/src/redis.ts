import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '@siteauth/core/adapters'
import type { CompleteAdapter } from './lib/complete-adapter.ts'
import { decodeHash, decodeValue, encodeHash, encodeValue, joinKey } from './lib/redis/encoding.ts'
import { commandsOf, type RedisClient, runScript } from './lib/redis/redis-client.ts'

export type { CompleteAdapter, SignedUp, SignUp } from './lib/complete-adapter.ts'
export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './lib/redis/redis-client.ts'

/** What a `RedisAdapter` is told. */
export interface RedisAdapterOptions {
  /** A connected client of `ioredis` or `redis`: a single node, Sentinel or a Cluster. */
  client: RedisClient
  /** What every key begins with. `auth:` unless told. */
  prefix?: string
}

/**
 * Stores everything in Redis 6.2 or newer. What belongs to a user is in one hash slot; sessions and
 * one-time tokens are removed by the server when they expire.
 *
 * ```ts
 * import { type RedisClient, RedisAdapter } from '@siteauth/adapters/redis'
 *
 * declare const client: RedisClient // new Redis('redis://localhost') of ioredis, for example
 * export const adapter = RedisAdapter({ client })
 * ```
 */
export function RedisAdapter({ client, prefix = 'auth:' }: RedisAdapterOptions): CompleteAdapter {
  const send = commandsOf(client)
  const owned = (userId: string, kind: string) => `${prefix}{${encodeURIComponent(userId)}}:${kind}`
  const userKey = (userId: string) => owned(userId, 'user')
  const emailKey = (email: string) => `${prefix}email:${joinKey(email)}`
  const accountField = (account: AccountKey) => joinKey(account.provider, account.providerAccountId)
  const accountKey = (account: AccountKey) => `${prefix}account:${accountField(account)}`
  const sessionKey = (sessionToken: string) => `${prefix}session:${joinKey(sessionToken)}`
  const tokenKey = (token: Pick<VerificationToken, 'identifier' | 'token'>) =>
    `${prefix}verification:${joinKey(token.identifier, token.token)}`
  const credentialKey = (credentialID: string) => `${prefix}credential:${joinKey(credentialID)}`

  /**
   * Points a key at a user, unless it points at another who really has it. What it stands for was
   * stored before, so a pointer to nothing is a remainder that may be replaced.
   */
  async function claim(
    key: string,
    userId: string,
    holds: (userId: string) => Promise<boolean>,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const owner = await textAt(key)
      if (owner === userId) return true
      if (owner !== null && (await holds(owner))) return false
      if (await runScript(client, REPLACE, [key], [owner ?? '', userId])) return true
    }
    return false
  }

  async function textAt(key: string): Promise<string | null> {
    const text = await send('get', key)
    return text === null || text === undefined ? null : String(text)
  }

  /** Removes a pointer if it is still that user's. */
  async function release(key: string, userId: string): Promise<void> {
    await runScript(client, RELEASE, [key], [userId])
  }

  async function readUser(id: string): Promise<AdapterUser | null> {
    // Sound: written by writeUser, field by field.
    return decodeHash(await send('hgetall', userKey(id))) as AdapterUser | null
  }

  async function writeUser(user: NewUser): Promise<AdapterUser> {
    const stored = { ...user, id: user.id ?? crypto.randomUUID() }
    const isNew = await runScript(client, CREATE_HASH, [userKey(stored.id)], encodeHash(stored))
    if (!isNew) throw new Error('a user with this id exists already')
    return stored
  }

  const claimEmail = ({ id, email }: AdapterUser) =>
    claim(emailKey(email), id, async owner => (await readUser(owner))?.email === email)

  /** Stores a member of one of the user's hashes, if there is such a user, and claims its key. */
  async function writeOwned(
    kind: 'accounts' | 'authenticators',
    userId: string,
    field: string,
    record: object,
    pointer: string,
  ): Promise<boolean> {
    const keys = [userKey(userId), owned(userId, kind)] as const
    const isStored = await runScript(client, SET_OWNED, keys, [field, encodeValue(record)])
    if (!isStored) throw new Error('no user has this id')
    const holds = async (owner: string) => Boolean(await send('hexists', owned(owner, kind), field))
    if (await claim(pointer, userId, holds)) return true
    await send('hdel', owned(userId, kind), field)
    return false
  }

  const writeAccount = (account: AdapterAccount) =>
    writeOwned('accounts', account.userId, accountField(account), account, accountKey(account))

  async function readOwned<T>(kind: string, pointer: string, field: string): Promise<T | null> {
    const owner = await textAt(pointer)
    if (owner === null) return null
    const text = await send('hget', owned(owner, kind), field)
    // Sound: written by writeOwned.
    return typeof text === 'string' ? (decodeValue(text) as T) : null
  }

  /** Replaces a member of one of the user's hashes, if it is still there. */
  async function replaceOwned(kind: string, userId: string, field: string, record: object) {
    const args = [field, encodeValue(record)]
    return Boolean(await runScript(client, REPLACE_FIELD, [owned(userId, kind)], args))
  }

  const readAccount = (account: AccountKey) =>
    readOwned<AdapterAccount>('accounts', accountKey(account), accountField(account))

  const readAuthenticator = (credentialID: string) =>
    readOwned<AdapterAuthenticator>('authenticators', credentialKey(credentialID), credentialID)

  async function readSession(sessionToken: string): Promise<AdapterSession | null> {
    const text = await textAt(sessionKey(sessionToken))
    // Sound: written by createSession.
    return text === null ? null : (decodeValue(text) as AdapterSession)
  }

  // Listed before it is stored, so that a list of the user's sessions never lacks one.
  async function createSession(session: AdapterSession): Promise<AdapterSession> {
    const { sessionToken, userId, expires } = session
    const keys = [userKey(userId), owned(userId, 'sessions')] as const
    const listed = [expires.getTime(), sessionToken, Date.now()]
    if (!(await runScript(client, LIST_SESSION, keys, listed))) {
      throw new Error('no user has this id')
    }
    await send('set', sessionKey(sessionToken), encodeValue(session), 'PXAT', expires.getTime())
    return session
  }

  /** Null when the session is gone meanwhile. */
  async function extendSession(session: AdapterSession, expires: Date) {
    const { sessionToken, userId } = session
    const extended = { ...session, expires }
    const time = expires.getTime()
    const [isKept] = await Promise.all([
      send('set', sessionKey(sessionToken), encodeValue(extended), 'XX', 'PXAT', time),
      send('zadd', owned(userId, 'sessions'), 'XX', time, sessionToken),
    ])
    return isKept ? extended : null
  }

  async function tokensOf(userId: string): Promise<string[]> {
    return textsOf(await send('zrange', owned(userId, 'sessions'), 0, -1))
  }

  async function deleteSessions(userId: string): Promise<number> {
    const tokens = await tokensOf(userId)
    const deleted = await Promise.all(tokens.map(token => send('del', sessionKey(token))))
    if (tokens.length > 0) await send('zrem', owned(userId, 'sessions'), ...tokens)
    return deleted.filter(Boolean).length
  }

  async function deleteUser(id: string): Promise<AdapterUser | null> {
    const user = await readUser(id)
    const [accounts, credentials, tokens] = await Promise.all([
      send('hkeys', owned(id, 'accounts')).then(textsOf),
      send('hkeys', owned(id, 'authenticators')).then(textsOf),
      tokensOf(id),
    ])
    const kinds = ['accounts', 'authenticators', 'sessions'].map(kind => owned(id, kind))
    // Nothing that points at the user finds anything after this; the rest is tidying up.
    await runScript(client, DELETE_ALL, [userKey(id), ...kinds], [])
    await Promise.all([
      ...(user?.email ? [release(emailKey(user.email), id)] : []),
      ...accounts.map(field => release(`${prefix}account:${field}`, id)),
      ...credentials.map(credentialID => release(credentialKey(credentialID), id)),
      ...tokens.map(token => send('del', sessionKey(token))),
    ])
    return user
  }

  return {
    async createUser(user) {
      const stored = await writeUser(user)
      if (stored.email && !(await claimEmail(stored))) {
        await send('del', userKey(stored.id))
        throw new Error('a user with this address exists already')
      }
      return stored
    },
    getUser: readUser,
    async getUserByEmail(email) {
      const id = await textAt(emailKey(email))
      const user = id === null ? null : await readUser(id)
      return user?.email === email ? user : null
    },
    async getUserByAccount(account) {
      const id = await textAt(accountKey(account))
      return id === null ? null : readUser(id)
    },
    async updateUser(changes) {
      const { id, email } = changes
      const before = email === undefined ? null : await readUser(id)
      const answer = await runScript(client, UPDATE_HASH, [userKey(id)], encodeHash(changes))
      // Sound: written by writeUser, field by field.
      const user = decodeHash(answer) as AdapterUser | null
      if (!user) throw new Error('no user has this id')
      if (before && before.email !== user.email) {
        if (user.email && !(await claimEmail(user))) {
          await send('hset', userKey(id), 'email', encodeValue(before.email))
          throw new Error('a user with this address exists already')
        }
        if (before.email) await release(emailKey(before.email), id)
      }
      return user
    },
    deleteUser,

    async linkAccount(account) {
      if (!(await writeAccount(account))) throw new Error('this account belongs to a user already')
      return account
    },
    async unlinkAccount(key) {
      const account = await readAccount(key)
      if (!account) return undefined
      await release(accountKey(key), account.userId)
      await send('hdel', owned(account.userId, 'accounts'), accountField(key))
      return account
    },
    getAccount: (providerAccountId, provider) => readAccount({ provider, providerAccountId }),
    async updateAccount(changes) {
      const account = await readAccount(changes)
      if (!account) return null
      const changed = { ...account, ...changes, userId: account.userId }
      const field = accountField(changes)
      const [isReplaced, user] = await Promise.all([
        replaceOwned('accounts', account.userId, field, changed),
        readUser(account.userId),
      ])
      // If the sign-up was interrupted before the address was claimed, this is the next sign-in.
      if (user?.email) await claimEmail(user)
      return isReplaced ? changed : null
    },

    createSession,
    async getSessionAndUser(sessionToken) {
      const session = await readSession(sessionToken)
      const user = session && (await readUser(session.userId))
      return user ? { session, user } : null
    },
    async getAndRenewSession(sessionToken, { now, dueUntil, dueAfter, expires }) {
      const session = await readSession(sessionToken)
      if (!session) return null
      const end = session.expires
      const isDue = end > now && (end <= dueUntil || end > dueAfter)
      // Commands that are sent at once travel together.
      const [user, renewed] = await Promise.all([
        readUser(session.userId),
        isDue ? extendSession(session, expires) : null,
      ])
      return user ? { session: renewed ?? session, user, isRenewed: renewed !== null } : null
    },
    async updateSession({ sessionToken, expires }) {
      const session = await readSession(sessionToken)
      return session && extendSession(session, expires ?? session.expires)
    },
    async deleteSession(sessionToken) {
      const text = await send('getdel', sessionKey(sessionToken))
      if (typeof text !== 'string') return null
      // Sound: written by createSession.
      const session = decodeValue(text) as AdapterSession
      await send('zrem', owned(session.userId, 'sessions'), sessionToken)
      return session
    },
    async listSessions(userId) {
      const sessions = await Promise.all((await tokensOf(userId)).map(readSession))
      return sessions.filter(session => session !== null)
    },
    deleteSessions,

    async createVerificationToken(token) {
      const expires = token.expires.getTime()
      const stored = await send('set', tokenKey(token), encodeValue(token), 'PXAT', expires, 'NX')
      if (stored === null) throw new Error('this token exists already')
      return token
    },
    async useVerificationToken(given) {
      // One command, so one caller only.
      const text = await send('getdel', tokenKey(given))
      // Sound: written by createVerificationToken.
      return typeof text === 'string' ? (decodeValue(text) as VerificationToken) : null
    },

    async createAuthenticator(authenticator) {
      const { userId, credentialID } = authenticator
      const key = credentialKey(credentialID)
      if (await readAuthenticator(credentialID)) throw new Error(CREDENTIAL_TAKEN)
      const isStored = await writeOwned('authenticators', userId, credentialID, authenticator, key)
      if (!isStored) throw new Error(CREDENTIAL_TAKEN)
      return authenticator
    },
    async deleteAuthenticator({ credentialID, userId }) {
      const authenticator = await readAuthenticator(credentialID)
      if (authenticator?.userId !== userId) return null
      // One of two callers gets it. Whatever points at it then points at nothing.
      const removed = await send('hdel', owned(userId, 'authenticators'), credentialID)
      return Number(removed) > 0 ? authenticator : null
    },
    getAuthenticator: readAuthenticator,
    async listAuthenticatorsByUserId(userId) {
      const texts = textsOf(await send('hvals', owned(userId, 'authenticators')))
      // Sound: written by writeOwned.
      return texts.map(text => decodeValue(text) as AdapterAuthenticator)
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const authenticator = await readAuthenticator(credentialID)
      const changed = authenticator && { ...authenticator, counter }
      const { userId } = changed ?? {}
      const isReplaced =
        userId && (await replaceOwned('authenticators', userId, credentialID, { ...changed }))
      if (!changed || !isReplaced) throw new Error('no authenticator has this credential')
      return changed
    },

    async createUserWithAccount({ user, account, session }) {
      // Nobody finds the user before the account points at it, and then the sign-up can be repeated.
      const stored = await writeUser(user)
      const linked = { ...account, userId: stored.id }
      const isFirst = await writeAccount(linked)
      if (!isFirst || (stored.email && !(await claimEmail(stored)))) {
        await deleteUser(stored.id)
        return null
      }
      const signedIn = session ? await createSession({ ...session, userId: stored.id }) : null
      return { user: stored, account: linked, session: signedIn }
    },
  }
}

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>
type NewUser = Omit<AdapterUser, 'id'> & { id?: string }

const CREDENTIAL_TAKEN = 'this credential exists already'

const CREATE_HASH = `
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('hset', KEYS[1], unpack(ARGV))
return 1`

const UPDATE_HASH = `
if redis.call('exists', KEYS[1]) == 0 then return {} end
redis.call('hset', KEYS[1], unpack(ARGV))
return redis.call('hgetall', KEYS[1])`

const SET_OWNED = `
if redis.call('exists', KEYS[1]) == 0 then return 0 end
redis.call('hset', KEYS[2], ARGV[1], ARGV[2])
return 1`

const REPLACE_FIELD = `
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
return 1`

const LIST_SESSION = `
if redis.call('exists', KEYS[1]) == 0 then return 0 end
redis.call('zremrangebyscore', KEYS[2], '-inf', ARGV[3])
redis.call('zadd', KEYS[2], ARGV[1], ARGV[2])
return 1`

const REPLACE = `
if (redis.call('get', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2])
return 1`

const RELEASE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])`

const DELETE_ALL = `return redis.call('del', unpack(KEYS))`

function textsOf(answer: unknown): string[] {
  return Array.isArray(answer)
    ? answer.map(String)
    : answer instanceof Set
      ? [...answer].map(String)
      : []
}
