// Each method of an adapter, called for one user of many: what plans.slow.test.ts has the plans of, and bench/scale.mjs measures.
const DAY = 86_400_000
const RULE = { burst: 1000, refillSeconds: 60 }
const DELAYS = { burst: 1, refillSeconds: 60, maxDelaySeconds: 3600 }

/** The user with many sessions that have expired: see `fill.mjs`. */
export const MANY = 'user-many'

/**
 * By the name of the method. Users are called by their number, which each call gets another of; `adapter` may be that of any store.
 *
 * @type {Record<string, (adapter: any, n: number) => Promise<unknown>>}
 */
export const CALLS = {
  getSessionAndUser: (adapter, n) => adapter.getSessionAndUser(`session-${n}-0`),
  async getAndRenewSession(adapter, n) {
    // Renewed with a second statement, and in the one that reads.
    for (const dueIn of [DAY, 40 * DAY]) {
      await adapter.getAndRenewSession(`session-${n}-0`, renewalOf(dueIn, 60 * DAY))
      await adapter.getAndRenewSession(`session-${n}-1`, renewalOf(dueIn, dueIn + 1000))
    }
  },
  createSession: (adapter, n) =>
    adapter.createSession({ sessionToken: unique(), userId: `user-${n}`, expires: inDays(30) }),
  updateSession: (adapter, n) =>
    adapter.updateSession({ sessionToken: `session-${n}-0`, expires: inDays(31) }),
  async listSessions(adapter, n) {
    await adapter.listSessions(`user-${n}`)
    await adapter.listSessions(`user-${n}`, 100)
    await adapter.listSessions(MANY, 100)
  },
  async deleteSession(adapter, n) {
    await adapter.deleteSession(`session-${n}-0`)
    await adapter.deleteSession(unique())
  },
  deleteOtherSessions: (adapter, n) =>
    adapter.deleteOtherSessions({ userId: `user-${n}`, sessionToken: `session-${n}-1` }),
  deleteSessions: (adapter, n) => adapter.deleteSessions(`user-${n}`),
  createUser: adapter => adapter.createUser(newUser()),
  getUser: (adapter, n) => adapter.getUser(`user-${n}`),
  getUserByEmail: (adapter, n) => adapter.getUserByEmail(`${n}@example.com`),
  getUserByAccount: (adapter, n) => adapter.getUserByAccount(accountOf(n)),
  async updateUser(adapter, n) {
    await adapter.updateUser({ id: `user-${n}`, name: 'Ada' })
    await adapter.updateUser({ id: `user-${n}`, name: 'Eve' }, { whileUnproved: true })
  },
  async createUserWithAccount(adapter) {
    const session = { sessionToken: unique(), expires: inDays(30) }
    await adapter.createUserWithAccount({ user: newUser(), account: newAccount(), session })
    await adapter.createUserWithAccount({ user: newUser(), account: newAccount() })
  },
  linkAccount: (adapter, n) => adapter.linkAccount({ ...newAccount(), userId: `user-${n}` }),
  getAccount: (adapter, n) => adapter.getAccount(`google-${n}`, 'google'),
  listAccounts: (adapter, n) => adapter.listAccounts(`user-${n}`),
  updateAccount: (adapter, n) => adapter.updateAccount({ ...accountOf(n), access_token: 'new' }),
  async leaseAccount(adapter, n) {
    const [now, holder] = [new Date(), unique()]
    const until = new Date(now.getTime() + 10_000)
    await adapter.leaseAccount(accountOf(n), { holder, now, until })
    await adapter.updateAccount({ ...accountOf(n), access_token: 'newer' }, { holder })
  },
  async linkAccountIf(adapter, n) {
    const userId = `user-${n}`
    const user = { email: `${n}@example.com`, emailVerified: null }
    const unrevoked = { log: adapter.revocations, keys: [{ key: revocationKey(n), generation: 1 }] }
    const account = { ...newAccount(), userId }
    const authenticator = newAuthenticator(userId, account.providerAccountId)
    const asUser = { user, sessionToken: `session-${n}-0`, unrevoked }
    await adapter.linkAccountIf({ account, authenticator, condition: asUser })
    const other = { ...newAccount(), userId }
    await adapter.linkAccountIf({ account: other, condition: { user } })
  },
  async unlinkAccount(adapter, n) {
    await adapter.unlinkAccount(accountOf(n), { userId: `user-${n}` })
    await adapter.unlinkAccount(accountOf(n))
  },
  createAuthenticator: (adapter, n) =>
    adapter.createAuthenticator(newAuthenticator(`user-${n}`, unique())),
  getAuthenticator: (adapter, n) => adapter.getAuthenticator(`credential-${n}`),
  listAuthenticatorsByUserId: (adapter, n) => adapter.listAuthenticatorsByUserId(`user-${n}`),
  async updateAuthenticatorCounter(adapter, n) {
    await adapter.updateAuthenticatorCounter(`credential-${n}`, 1)
    await adapter.updateAuthenticatorCounter(`credential-${n}`, 2, 1)
  },
  deleteAuthenticator: (adapter, n) =>
    adapter.deleteAuthenticator({ userId: `user-${n}`, credentialID: `credential-${n}` }),
  async claimUser(adapter, n) {
    const user = { id: `user-${n}`, email: `${n}@example.com` }
    await adapter.claimUser({ user, emailVerified: new Date(), account: accountOf(n) })
    await adapter.claimUser({ user, emailVerified: null })
  },
  createVerificationToken: adapter =>
    adapter.createVerificationToken({
      identifier: `${unique()}@example.com`,
      token: unique(),
      expires: inDays(1),
    }),
  useVerificationToken: (adapter, n) =>
    adapter.useVerificationToken({ identifier: `${n}@example.com`, token: `token-${n}` }),
  'passwords.get': (adapter, n) => adapter.passwords.get(`user-${n}`),
  async 'passwords.set'(adapter, n) {
    const password = { userId: `user-${n}`, hash: 'new', changedAt: new Date() }
    await adapter.passwords.set(password)
    await adapter.passwords.set({ ...password, hash: 'newer' }, 'new')
  },
  async 'passwords.remove'(adapter, n) {
    await adapter.passwords.remove(`user-${n}`, 'another')
    await adapter.passwords.remove(`user-${n}`)
  },
  'trackedSessions.add': (adapter, n) =>
    adapter.trackedSessions.add({
      id: `s:${unique()}`,
      userId: `user-${n}`,
      expires: inDays(30),
      createdAt: new Date(),
    }),
  'trackedSessions.renew': (adapter, n) =>
    adapter.trackedSessions.renew({
      id: `tracked-${n}-0`,
      userId: `user-${n}`,
      expires: inDays(31),
      lastSeenAt: new Date(),
    }),
  async 'trackedSessions.list'(adapter, n) {
    await adapter.trackedSessions.list(`user-${n}`, 100)
    await adapter.trackedSessions.list(MANY, 100)
  },
  'trackedSessions.remove': (adapter, n) =>
    adapter.trackedSessions.remove({ id: `tracked-${n}-0`, userId: `user-${n}` }),
  'trackedSessions.removeSeveral': (adapter, n) =>
    adapter.trackedSessions.removeSeveral(`user-${n}`, [`tracked-${n}-0`, `tracked-${n}-1`]),
  async 'trackedSessions.removeAll'(adapter, n) {
    await adapter.trackedSessions.removeAll(`user-${n}`, `tracked-${n}-2`)
    await adapter.trackedSessions.removeAll(`user-${n}`)
  },
  async 'limiter.take'(adapter, n) {
    await adapter.limiter.take(`limit-${n}`, RULE, Date.now())
    // The second one has to wait, and is told for how long.
    const key = unique()
    for (const _ of [1, 2]) await adapter.limiter.take(key, DELAYS, Date.now())
  },
  'limiter.forget': (adapter, n) => adapter.limiter.forget(`limit-${n}`),
  async 'revocations.end'(adapter, n) {
    const until = inDays(30)
    await adapter.revocations.end([{ key: `s:${unique()}`, until }])
    await adapter.revocations.end([{ key: `u:${n}`, until, isGeneration: true }])
  },
  'revocations.find': (adapter, n) =>
    adapter.revocations.find([revocationKey(n), `u:${n}`, `s:${unique()}`]),
  async 'revocations.page'(adapter) {
    const { next } = await adapter.revocations.page(null)
    if (next) await adapter.revocations.page(next)
  },
  async 'revocations.since'(adapter) {
    await adapter.revocations.since(new Date(Date.now() - 60_000))
    const { next } = await adapter.revocations.since(null)
    if (next) await adapter.revocations.since(null, next)
  },
  deleteExpired: adapter => adapter.deleteExpired(),
  deleteUser: (adapter, n) => adapter.deleteUser(`user-${n}`),
}

/** What has no statements of its own, and why. Migrations read the catalogue, and change the schema. */
export const WITHOUT_STATEMENTS = {
  close: 'closes connections',
  'revocations.watch': 'listens on a connection of its own',
  'revocations.restore': 'is the script of revocations.end',
}

/**
 * The names of all methods of an adapter, also those of its parts, but for the migrations.
 *
 * @param {any} adapter
 * @returns {string[]}
 */
export function methodsOf(adapter) {
  return Object.entries(adapter).flatMap(([name, value]) => {
    if (typeof value === 'function') return [name]
    if (
      name === 'migrations' ||
      Array.isArray(value) ||
      value === null ||
      typeof value !== 'object'
    )
      return []
    return methodsOf(value).map(inner => `${name}.${inner}`)
  })
}

/** @param {number} n */
function revocationKey(n) {
  return `s:${'0'.repeat(16)}${10 ** 15 + n}`
}

function unique() {
  return crypto.randomUUID()
}

/** @param {number} days */
function inDays(days) {
  return new Date(Date.now() + days * DAY)
}

/**
 * @param {number} dueIn
 * @param {number} lives
 */
function renewalOf(dueIn, lives) {
  const now = new Date()
  const later = (/** @type {number} */ by) => new Date(now.getTime() + by)
  return { now, dueUntil: later(dueIn), dueAfter: later(90 * DAY), expires: later(lives) }
}

function newUser() {
  const id = unique()
  return { id, name: 'Ada', email: `${id}@example.com`, emailVerified: null }
}

function newAccount() {
  return { type: 'oauth', provider: 'github', providerAccountId: unique(), access_token: 'token' }
}

/** @param {number} n */
function accountOf(n) {
  return { provider: 'google', providerAccountId: `google-${n}` }
}

/**
 * @param {string} userId
 * @param {string} providerAccountId
 */
function newAuthenticator(userId, providerAccountId) {
  return {
    userId,
    credentialID: unique(),
    providerAccountId,
    counter: 0,
    credentialPublicKey: 'public',
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
  }
}
