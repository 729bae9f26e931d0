import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '@siteauth/core/adapters'
import type { CompleteAdapter } from './lib/complete-adapter.ts'
import { createQueues } from './lib/queues.ts'
import {
  decodeHash,
  decodeValue,
  encodeHash,
  encodeValue,
  joinKey,
  pairsOf,
} from './lib/redis/encoding.ts'
import { createRedisLimiter } from './lib/redis/limiter.ts'
import { decodeLinked, encodeLinked, newLink } from './lib/redis/links.ts'
import { createRedisPasswords } from './lib/redis/passwords.ts'
import { commandsOf, type RedisClient, scriptsOf } from './lib/redis/redis-client.ts'
import { createRedisRevocations } from './lib/redis/revocations.ts'
import { placeOf, watchRedis } from './lib/redis/subscribe.ts'
import { createRedisTracked } from './lib/redis/tracked-sessions.ts'
import { DEFAULT_TIMEOUT } from './lib/with-timeout.ts'

export type { CompleteAdapter, SignedUp, SignUp } from './lib/complete-adapter.ts'
export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './lib/redis/redis-client.ts'

/** The options of a `RedisAdapter`. */
export interface RedisAdapterOptions {
  /** A connected `ioredis` or `redis` client: a single node, Sentinel or a Cluster. */
  client: RedisClient
  /** The prefix of every key. Defaults to `auth:`. */
  prefix?: string
  /**
   * How long Redis may take to respond, in milliseconds, before the visitor sees an error. Defaults
   * to 10 000.
   */
  timeout?: number
}

/**
 * Stores everything in Redis 6.2 or newer. A user's data is in one hash slot; Redis removes
 * sessions and one-time tokens when they expire.
 *
 * ```ts
 * import { type RedisClient, RedisAdapter } from '@siteauth/adapters/redis'
 *
 * declare const client: RedisClient // new Redis('redis://localhost') of ioredis, for example
 * export const adapter = RedisAdapter({ client })
 * ```
 */
export function RedisAdapter({
  client,
  prefix = 'auth:',
  timeout = DEFAULT_TIMEOUT,
}: RedisAdapterOptions): CompleteAdapter {
  const send = commandsOf(client, timeout)
  const runScript = scriptsOf(client, timeout)
  const owned = (userId: string, kind: string) => `${prefix}{${encodeURIComponent(userId)}}:${kind}`
  const userKey = (userId: string) => owned(userId, 'user')
  const emailKey = (email: string) => `${prefix}email:${joinKey(email)}`
  const accountField = (account: AccountKey) => joinKey(account.provider, account.providerAccountId)
  const accountKey = (account: AccountKey) => `${prefix}account:${accountField(account)}`
  const leaseKey = (account: AdapterAccount) =>
    owned(account.userId, `lease:${accountField(account)}`)
  const sessionKey = (sessionToken: string) => `${prefix}session:${joinKey(sessionToken)}`
  const tokenKey = (token: Pick<VerificationToken, 'identifier' | 'token'>) =>
    `${prefix}verification:${joinKey(token.identifier, token.token)}`
  const credentialKey = (credentialID: string) => `${prefix}credential:${joinKey(credentialID)}`
  const revocationKey = (word: string) => `${prefix}{revocations}:${word}`
  const channel = `${placeOf(client)}${revocationKey('ended')}`
  const revocations = createRedisRevocations({
    send,
    runScript,
    keyOf: revocationKey,
    channel,
    watch: watchRedis({
      client,
      channel,
      timeout,
      untilReady: () => send('exists', revocationKey('ends')),
    }),
  })

  const passwords = createRedisPasswords({
    send,
    runScript,
    keyOf: userId => owned(userId, 'password'),
  })
  const trackedSessions = createRedisTracked({ send, runScript, owned })
  const limiter = createRedisLimiter({ send, runScript, keyOf: key => `${prefix}limit:${key}` })

  /**
   * Has a key point somewhere, unless it points at another place that really has what it stands for.
   * That was stored before, so a pointer to nothing is a remainder that may be replaced.
   */
  async function claim(
    key: string,
    target: string,
    holds: (target: string) => Promise<boolean>,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const current = await textAt(key)
      if (current === target) return true
      if (current !== null && (await holds(current))) return false
      if (await runScript(REPLACE, [key], [current ?? '', target])) return true
    }
    return false
  }

  async function textAt(key: string): Promise<string | null> {
    const text = await send('get', key)
    return text === null || text === undefined ? null : String(text)
  }

  /** Removes a pointer if it still points there. */
  async function release(key: string, target: string): Promise<void> {
    await runScript(RELEASE, [key], [target])
  }

  async function readUser(id: string): Promise<AdapterUser | null> {
    // Sound: written by writeUser, field by field.
    return decodeHash(await send('hgetall', userKey(id))) as AdapterUser | null
  }

  async function writeUser(user: NewUser): Promise<AdapterUser> {
    const stored = { ...user, id: user.id ?? crypto.randomUUID() }
    const isNew = await runScript(CREATE_HASH, [userKey(stored.id)], encodeHash(stored))
    if (!isNew) throw new Error('a user with this id exists already')
    return stored
  }

  const claimEmail = ({ id, email }: AdapterUser) =>
    claim(emailKey(email), id, async owner => (await readUser(owner))?.email === email)

  /** Gives an address back, unless the user has returned to it meanwhile. */
  async function releaseEmail(email: string, id: string): Promise<void> {
    await release(emailKey(email), id)
    const user = await readUser(id)
    if (user?.email === email) await claimEmail(user)
  }

  /** Stores a member of one of the user's hashes, if there is such a user, and claims its key. */
  async function writeOwned(
    kind: 'accounts' | 'authenticators',
    userId: string,
    field: string,
    record: object,
    pointer: string,
  ): Promise<boolean> {
    const keys = [userKey(userId), owned(userId, kind)] as const
    // Whoever links once more what is linked already shares the link that is there.
    const link = await runScript(SET_OWNED, keys, [field, newLink(), encodeValue(record)])
    if (typeof link !== 'string') throw new Error('no user has this id')
    const holds = async (target: string) => (await readAt(kind, target, field)) !== null
    if (await claim(pointer, encodeLinked(link, userId), holds)) return true
    await runScript(REMOVE_FIELD, [owned(userId, kind)], [field, link])
    return false
  }

  const writeAccount = (account: AdapterAccount) =>
    writeOwned('accounts', account.userId, accountField(account), account, accountKey(account))

  /** What a pointer points at, if it was put there for it. */
  async function readAt(kind: string, target: string, field: string): Promise<unknown> {
    const text = await memberAt(kind, target, field)
    return text === null ? null : decodeValue(decodeLinked(text).rest)
  }

  /** The same as it is stored. */
  async function memberAt(kind: string, target: string, field: string): Promise<string | null> {
    const { link, rest: userId } = decodeLinked(target)
    const text = await send('hget', owned(userId, kind), field)
    return typeof text === 'string' && decodeLinked(text).link === link ? text : null
  }

  async function readOwned<T>(kind: string, pointer: string, field: string) {
    const target = await textAt(pointer)
    if (target === null) return null
    const text = await memberAt(kind, target, field)
    if (text === null) return null
    // Sound: written by writeOwned.
    const record = decodeValue(decodeLinked(text).rest) as T
    return { record, text, target, ...decodeLinked(target) }
  }

  async function listOwned<T>(kind: string, userId: string): Promise<T[]> {
    const texts = textsOf(await send('hvals', owned(userId, kind)))
    // Sound: written by writeOwned.
    return texts.map(text => decodeValue(decodeLinked(text).rest) as T)
  }

  /** Replaces a member of one of the user's hashes, if it is still there by the same link. */
  async function replaceOwned(
    kind: string,
    { link, rest: userId }: { link: string; rest: string },
    field: string,
    record: object,
  ) {
    const args = [field, link, encodeValue(record)]
    return Boolean(await runScript(REPLACE_FIELD, [owned(userId, kind)], args))
  }

  /** Removes it, with what points at it. Whether it was this caller who did. */
  async function removeOwned(
    kind: string,
    { link, rest: userId, target }: { link: string; rest: string; target: string },
    field: string,
    pointer: string,
  ) {
    const isRemoved = await runScript(REMOVE_FIELD, [owned(userId, kind)], [field, link])
    // If it is linked again meanwhile, that is another link, which the pointer then has.
    if (isRemoved) await release(pointer, target)
    return Boolean(isRemoved)
  }

  const readAccount = (account: AccountKey) =>
    readOwned<AdapterAccount>('accounts', accountKey(account), accountField(account))

  const oneByOne = createQueues()

  const updateAccount: CompleteAdapter['updateAccount'] = async (changes, held) => {
    // Again where another server has changed it meanwhile: what they wrote must not be lost.
    for (let attempt = 0; attempt < 20; attempt++) {
      const found = await readAccount(changes)
      if (!found) return null
      const account = found.record
      const changed = withoutNulls({ ...account, ...changes, userId: account.userId })
      const field = accountField(changes)
      const keys = [owned(account.userId, 'accounts'), leaseKey(account)] as const
      const text = encodeLinked(found.link, encodeValue(changed))
      const args = [field, found.text, text, held?.holder ?? '']
      const [outcome, user] = await Promise.all([
        runScript(REPLACE_LEASED, keys, args),
        held ? null : readUser(account.userId),
      ])
      // If the sign-up was interrupted before the address was claimed, this is the next sign-in.
      if (user?.email) await claimEmail(user)
      if (outcome !== CHANGED) return outcome ? changed : null
    }
    throw new Error('the account is being changed by too many at once')
  }

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
    if (!(await runScript(LIST_SESSION, keys, listed))) {
      throw new Error('no user has this id')
    }
    const text = encodeValue(session)
    if (!(await send('set', sessionKey(sessionToken), text, 'PXAT', expires.getTime(), 'NX'))) {
      throw new Error('this session exists already')
    }
    // Once more: the list may have been emptied since, and what is not listed could not be ended.
    await runScript(LIST_SESSION, keys, listed)
    return session
  }

  /** Null when the session is gone meanwhile. */
  async function extendSession(
    session: AdapterSession,
    changes: Partial<AdapterSession> & Pick<AdapterSession, 'expires'>,
  ) {
    const { sessionToken, userId } = session
    const extended = { ...session, ...changes }
    const { expires } = changes
    const time = expires.getTime()
    const [isKept] = await Promise.all([
      send('set', sessionKey(sessionToken), encodeValue(extended), 'XX', 'PXAT', time),
      runScript(RELIST_SESSION, [owned(userId, 'sessions')], [time, sessionToken]),
    ])
    return isKept ? extended : null
  }

  /** Those that expire last come first. */
  async function tokensOf(userId: string, limit = 0): Promise<string[]> {
    return textsOf(await send('zrevrange', owned(userId, 'sessions'), 0, limit - 1))
  }

  /** @param except one that stays */
  async function deleteSessions(userId: string, except?: string): Promise<number> {
    const tokens = (await tokensOf(userId)).filter(token => token !== except)
    const deleted = await Promise.all(tokens.map(token => send('del', sessionKey(token))))
    if (tokens.length > 0) await send('zrem', owned(userId, 'sessions'), ...tokens)
    return deleted.filter(Boolean).length
  }

  /** The members of one of the user's hashes, each with what points at it. */
  async function linksOf(kind: string, userId: string): Promise<[field: string, target: string][]> {
    const pairs = [...pairsOf(await send('hgetall', owned(userId, kind)))]
    return pairs.map(([field, text]) => {
      return [String(field), encodeLinked(decodeLinked(String(text)).link, userId)]
    })
  }

  async function deleteUser(id: string): Promise<AdapterUser | null> {
    const user = await readUser(id)
    const [accounts, credentials, tokens] = await Promise.all([
      linksOf('accounts', id),
      linksOf('authenticators', id),
      tokensOf(id),
    ])
    const kinds = ['accounts', 'authenticators', 'sessions', 'password'].map(kind =>
      owned(id, kind),
    )
    // Nothing that points at the user finds anything after this; the rest is tidying up.
    await runScript(DELETE_ALL, [userKey(id), ...kinds], [])
    await Promise.all([
      ...(user?.email ? [release(emailKey(user.email), id)] : []),
      ...accounts.map(([field, target]) => release(`${prefix}account:${field}`, target)),
      ...credentials.map(([id, target]) => release(credentialKey(id), target)),
      ...tokens.map(token => send('del', sessionKey(token))),
      trackedSessions.removeAll(id),
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
      const target = await textAt(accountKey(account))
      if (target === null) return null
      // Commands that are sent at once travel together.
      const [user, stored] = await Promise.all([
        readUser(decodeLinked(target).rest),
        readAt('accounts', target, accountField(account)),
      ])
      return stored === null ? null : user
    },
    async updateUser(changes) {
      const { id, email } = changes
      const before = email === undefined ? null : await readUser(id)
      const answer = await runScript(UPDATE_HASH, [userKey(id)], encodeHash(changes))
      // Sound: written by writeUser, field by field.
      const user = decodeHash(answer) as AdapterUser | null
      if (!user) throw new Error('no user has this id')
      if (before && before.email !== user.email) {
        if (user.email && !(await claimEmail(user))) {
          await send('hset', userKey(id), 'email', encodeValue(before.email))
          throw new Error('a user with this address exists already')
        }
        if (before.email) await releaseEmail(before.email, id)
      }
      return user
    },
    deleteUser,

    async linkAccount(account) {
      if (!(await writeAccount(account))) throw new Error('this account belongs to a user already')
      return account
    },
    async unlinkAccount(key) {
      const found = await readAccount(key)
      if (!found) return undefined
      const isRemoved = await removeOwned('accounts', found, accountField(key), accountKey(key))
      return isRemoved ? found.record : undefined
    },
    async getAccount(providerAccountId, provider) {
      return (await readAccount({ provider, providerAccountId }))?.record ?? null
    },
    updateAccount: (changes, held) =>
      // One after another here, since of many at once only one would be in time.
      oneByOne(accountField(changes), () => updateAccount(changes, held)),
    async leaseAccount(account, { holder, until, now }) {
      const found = await readAccount(account)
      if (!found) return null
      const keys = [owned(found.rest, 'accounts'), leaseKey(found.record)] as const
      const duration = Math.max(1, until.getTime() - now.getTime())
      const args = [accountField(account), found.link, holder, duration]
      const text = await runScript(LEASE, keys, args)
      // Sound: written by writeOwned.
      return typeof text === 'string'
        ? (decodeValue(decodeLinked(text).rest) as AdapterAccount)
        : null
    },
    listAccounts: userId => listOwned<AdapterAccount>('accounts', userId),

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
        isDue ? extendSession(session, { expires, lastSeenAt: now }) : null,
      ])
      return user ? { session: renewed ?? session, user, isRenewed: renewed !== null } : null
    },
    async updateSession({ sessionToken, expires, lastSeenAt }) {
      const session = await readSession(sessionToken)
      if (!session) return null
      const seen = lastSeenAt && { lastSeenAt }
      return extendSession(session, { expires: expires ?? session.expires, ...seen })
    },
    async deleteSession(sessionToken) {
      const text = await send('getdel', sessionKey(sessionToken))
      if (typeof text !== 'string') return null
      // Sound: written by createSession.
      const session = decodeValue(text) as AdapterSession
      await send('zrem', owned(session.userId, 'sessions'), sessionToken)
      return session
    },
    async listSessions(userId, limit) {
      const sessions = await Promise.all((await tokensOf(userId, limit)).map(readSession))
      return sessions.filter(session => session !== null)
    },
    deleteSessions: userId => deleteSessions(userId),
    deleteOtherSessions: ({ userId, sessionToken }) => deleteSessions(userId, sessionToken),

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
      const found = await readAuthenticator(credentialID)
      if (found?.rest !== userId) return null
      // One of two callers gets it.
      const pointer = credentialKey(credentialID)
      const isRemoved = await removeOwned('authenticators', found, credentialID, pointer)
      return isRemoved ? found.record : null
    },
    async getAuthenticator(credentialID) {
      return (await readAuthenticator(credentialID))?.record ?? null
    },
    listAuthenticatorsByUserId: userId => listOwned<AdapterAuthenticator>('authenticators', userId),
    async updateAuthenticatorCounter(credentialID, counter) {
      const found = await readAuthenticator(credentialID)
      const changed = found && { ...found.record, counter }
      const isReplaced =
        changed && (await replaceOwned('authenticators', found, credentialID, changed))
      if (!changed || !isReplaced) throw new Error('no authenticator has this credential')
      return changed
    },

    // The server removes sessions and tokens itself.
    async deleteExpired() {
      let total = 0
      for (let removed = 1; removed > 0; total += removed) {
        removed = await revocations.removeExpired()
      }
      return total
    },

    revocations: revocations.log,
    extends: ['sessions', 'accounts'],
    trackedSessions,
    limiter,
    passwords,

    async createUserWithAccount({ user, account, session }) {
      // Nobody finds the user before the account points at it, and then the sign-up can be repeated.
      const stored = await writeUser(user)
      const linked = { ...account, userId: stored.id }
      const isFirst = await writeAccount(linked)
      // Before anyone can find the user by the address, prove it, and put everyone out.
      const signedIn =
        session && isFirst ? await createSession({ ...session, userId: stored.id }) : null
      if (!isFirst || (stored.email && !(await claimEmail(stored)))) {
        await deleteUser(stored.id)
        return null
      }
      return { user: stored, account: linked, session: signedIn }
    },
  }
}

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

/** A member is its link, a blank, and its record. Answers the link that it has from now on. */
const LINK_OF = `
local function linkOf(text) return text and string.match(text, '^([%x-]+) ') or (text and '') end`

const SET_OWNED = `${LINK_OF}
if redis.call('exists', KEYS[1]) == 0 then return 0 end
local link = linkOf(redis.call('hget', KEYS[2], ARGV[1])) or ARGV[2]
redis.call('hset', KEYS[2], ARGV[1], link .. ' ' .. ARGV[3])
return link`

const REPLACE_FIELD = `${LINK_OF}
if linkOf(redis.call('hget', KEYS[1], ARGV[1])) ~= ARGV[2] then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
return 1`

/** What a script answers where a member is no longer what it was read as. */
const CHANGED = -1

/** Replaces an account as it was read, which ends its lease: only for its holder, where one is named. */
const REPLACE_LEASED = `
if ARGV[4] ~= '' and redis.call('get', KEYS[2]) ~= ARGV[4] then return 0 end
if redis.call('hget', KEYS[1], ARGV[1]) ~= ARGV[2] then return ${CHANGED} end
redis.call('hset', KEYS[1], ARGV[1], ARGV[3])
redis.call('del', KEYS[2])
return 1`

const LEASE = `${LINK_OF}
local text = redis.call('hget', KEYS[1], ARGV[1])
if linkOf(text) ~= ARGV[2] then return 0 end
local holder = redis.call('get', KEYS[2])
if holder and holder ~= ARGV[3] then return 0 end
redis.call('set', KEYS[2], ARGV[3], 'PX', ARGV[4])
return text`

const REMOVE_FIELD = `${LINK_OF}
if linkOf(redis.call('hget', KEYS[1], ARGV[1])) ~= ARGV[2] then return 0 end
return redis.call('hdel', KEYS[1], ARGV[1])`

/** The list ends with the last of its sessions. */
const END_LIST = `
local function endList(key)
  local last = redis.call('zrange', key, -1, -1, 'withscores')
  if last[2] then redis.call('pexpireat', key, last[2]) end
end`

const LIST_SESSION = `${END_LIST}
if redis.call('exists', KEYS[1]) == 0 then return 0 end
redis.call('zremrangebyscore', KEYS[2], '-inf', ARGV[3])
redis.call('zadd', KEYS[2], ARGV[1], ARGV[2])
endList(KEYS[2])
return 1`

const RELIST_SESSION = `${END_LIST}
redis.call('zadd', KEYS[1], 'XX', ARGV[1], ARGV[2])
endList(KEYS[1])
return 1`

const REPLACE = `
if (redis.call('get', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2])
return 1`

const RELEASE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])`

const DELETE_ALL = `return redis.call('del', unpack(KEYS))`

function withoutNulls(account: AdapterAccount): AdapterAccount {
  const entries = Object.entries(account).filter(([, member]) => member !== null)
  // Sound: what has to be there is never null.
  return Object.fromEntries(entries) as unknown as AdapterAccount
}

function textsOf(answer: unknown): string[] {
  return Array.isArray(answer)
    ? answer.map(String)
    : answer instanceof Set
      ? [...answer].map(String)
      : []
}
