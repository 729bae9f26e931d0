import { describe, expect, it } from 'vitest'
import { type CompleteAdapter, MemoryAdapter } from '../src/memory.ts'

const EXPIRES = new Date(Date.now() + 86_400_000)

/** So many users, each with one of everything that a user can have. The last one is `ann`. */
async function withUsers(many: number): Promise<CompleteAdapter> {
  const adapter = MemoryAdapter()
  for (let at = 1; at < many; at += 1) await addUser(adapter, `${at}`)
  await addUser(adapter, 'ann')
  return adapter
}

async function addUser(adapter: CompleteAdapter, id: string): Promise<void> {
  await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
  await adapter.linkAccount(account(id))
  await adapter.createSession({ sessionToken: `token-${id}`, userId: id, expires: EXPIRES })
  await adapter.trackedSessions.add({ id: `s:${id}`, userId: id, expires: EXPIRES })
  await adapter.passwords.set({ userId: id, hash: 'hash', changedAt: EXPIRES })
  await adapter.createAuthenticator({
    credentialID: `key-${id}`,
    userId: id,
    providerAccountId: `key-${id}`,
    credentialPublicKey: 'key',
    counter: 0,
    credentialDeviceType: 'singleDevice',
    credentialBackedUp: false,
  })
}

function account(userId: string) {
  return { type: 'oauth', provider: 'github', providerAccountId: userId, userId } as const
}

const MAP_ITERATOR = Object.getPrototypeOf(new Map().values())
const SET_ITERATOR = Object.getPrototypeOf(new Set().values())

/** How many entries of maps and sets are looked at meanwhile. */
async function visitedBy(act: () => unknown): Promise<number> {
  let visited = 0
  const originals = [MAP_ITERATOR, SET_ITERATOR].map(prototype => [prototype, prototype.next])
  for (const [prototype, next] of originals) {
    prototype.next = function () {
      visited += 1
      return next.call(this)
    }
  }
  try {
    await act()
  } finally {
    for (const [prototype, next] of originals) prototype.next = next
  }
  return visited
}

/** What is asked about Ann, or about somebody new. */
const CALLS: Readonly<Record<string, (adapter: CompleteAdapter) => unknown>> = {
  getUserByEmail: adapter => adapter.getUserByEmail('ann@example.com'),
  'getUserByEmail, of nobody': adapter => adapter.getUserByEmail('nobody@example.com'),
  getUserByAccount: adapter => adapter.getUserByAccount(account('ann')),
  createUser: adapter =>
    adapter.createUser({ id: 'new', email: 'new@example.com', emailVerified: null }),
  createUserWithAccount: adapter =>
    adapter.createUserWithAccount({
      user: { email: 'new@example.com', emailVerified: null },
      account: account('new'),
      session: { sessionToken: 'new', expires: EXPIRES },
    }),
  updateUser: adapter => adapter.updateUser({ id: 'ann', email: 'anna@example.com' }),
  listAccounts: adapter => adapter.listAccounts('ann'),
  linkAccountIf: adapter =>
    adapter.linkAccountIf({
      account: { ...account('ann'), provider: 'gitlab' },
      condition: {
        user: { email: 'ann@example.com', emailVerified: null },
        sessionToken: 'token-ann',
      },
    }),
  claimUser: adapter =>
    adapter.claimUser({ user: { id: 'ann', email: 'ann@example.com' }, emailVerified: EXPIRES }),
  listSessions: adapter => adapter.listSessions('ann'),
  deleteSessions: adapter => adapter.deleteSessions('ann'),
  deleteOtherSessions: adapter =>
    adapter.deleteOtherSessions({ userId: 'ann', sessionToken: 'token-ann' }),
  listAuthenticatorsByUserId: adapter => adapter.listAuthenticatorsByUserId('ann'),
  'trackedSessions.list': adapter => adapter.trackedSessions.list('ann', 10),
  'trackedSessions.removeAll': adapter => adapter.trackedSessions.removeAll('ann', 's:none'),
  deleteUser: adapter => adapter.deleteUser('ann'),
}

describe('in memory, what is asked about a user', () => {
  it.each(Object.keys(CALLS))('looks at no row of the others: %s', async name => {
    const call = CALLS[name] as (typeof CALLS)[string]
    const [small, large] = [await withUsers(10), await withUsers(500)]
    const visited = await visitedBy(() => call(small))
    expect(await visitedBy(() => call(large))).toBe(visited)
  })

  it('is counted by what looks at every row', async () => {
    const [small, large] = [await withUsers(10), await withUsers(500)]
    const visited = await visitedBy(() => small.deleteExpired())
    expect(await visitedBy(() => large.deleteExpired())).toBeGreaterThan(visited + 490)
  })

  it('is found by the address that the user has now, and by no earlier one', async () => {
    const adapter = await withUsers(10)
    await adapter.updateUser({ id: 'ann', email: 'anna@example.com' })
    expect(await adapter.getUserByEmail('ann@example.com')).toBeNull()
    expect(await adapter.getUserByEmail('anna@example.com')).toMatchObject({ id: 'ann' })
    await adapter.createUser({ id: 'new', email: 'ann@example.com', emailVerified: null })
    expect(await adapter.getUserByEmail('ann@example.com')).toMatchObject({ id: 'new' })
    await adapter.deleteUser('ann')
    expect(await adapter.getUserByEmail('anna@example.com')).toBeNull()
  })
})
