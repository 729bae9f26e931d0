import type { Adapter, AdapterUser } from '@siteauth/core/adapters'
import Passkey from '@siteauth/core/providers/passkey'
import Password from '@siteauth/core/providers/password'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

// Mallory has signed up with Ann's address, and never proved it. Then Ann signs in by a link: she gets the user, and nobody else stays
// in it. If the store cannot do that, Mallory's user gives the address up.

const ADDRESS = 'ann@example.com'
const NOW = Date.UTC(2030, 0, 1)

type Store = ReturnType<typeof MemoryAdapter>
/** How an adapter differs from the store; what is undefined it does not have. */
type Change = (store: Store) => { [Name in keyof Adapter]?: Adapter[Name] | undefined }

interface Claimed {
  readonly email: string
  readonly earlierUser: AdapterUser
  readonly outcome: string
  readonly accounts: readonly object[]
  readonly passkeys: readonly object[]
  readonly sessions: number
}

async function createWorld(change: Change = () => ({}), { hasOthers = true, hears = true } = {}) {
  const store = MemoryAdapter()
  const told: Claimed[] = []
  const hooks = { onClaim: async () => {} }
  const links: URL[] = []
  const auth = createTestAuth({
    adapter: { ...store, ...change(store) } as Adapter,
    session: { strategy: 'database' },
    ports: { now: () => NOW },
    providers: [
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
      },
      ...(hasOthers ? [Passkey(), Password({ mail: () => {} })] : []),
    ],
    experimental: { enableWebAuthn: true },
    events: hears
      ? {
          async emailClaimed(message) {
            told.push(message)
            await hooks.onClaim()
          },
        }
      : {},
  })
  const mallory = await store.createUser({ id: 'mallory', email: ADDRESS, emailVerified: null })
  return {
    store,
    told,
    hooks,
    mallory,
    /** What Mallory can come in with. */
    async settleIn() {
      for (const id of ['one', 'two']) {
        await store.linkAccount({ ...accountOf(id), userId: 'mallory' })
        await store.createAuthenticator({ ...keyOf(id), userId: 'mallory' })
        await addSession(store, id)
      }
      await store.passwords.set({ userId: 'mallory', hash: 'hash', changedAt: new Date(NOW) })
    },
    /** Ann signs in by a link. Returns her user, or the message of the error. */
    async prove(): Promise<AdapterUser | string | undefined> {
      const ann = new Visitor(auth.handle)
      await ann.post('/signin/mail', { email: ADDRESS })
      await ann.openLink(links.at(-1) ?? new URL('none:'))
      if (!(await ann.session())) return auth.errors.at(-1)?.message
      const token = ann.cookies.get('__Secure-authjs.session-token') ?? ''
      return (await store.getSessionAndUser(token))?.user
    },
    /** What is left of Mallory's in the user. */
    async left() {
      const accounts = await store.listAccounts('mallory')
      const keys = await store.listAuthenticatorsByUserId('mallory')
      const password = await store.passwords.get('mallory')
      return [accounts.length, keys.length, password === null ? 0 : 1]
    },
  }
}

const accountOf = (id: string) => ({ provider: 'op', providerAccountId: id, type: 'oidc' }) as const
const keyOf = (id: string) => ({
  credentialID: id,
  providerAccountId: id,
  credentialPublicKey: 'key',
  counter: 0,
  credentialDeviceType: 'singleDevice',
  credentialBackedUp: false,
  transports: null,
})
const addSession = (store: Store, sessionToken: string) =>
  store.createSession({ sessionToken, userId: 'mallory', expires: new Date(NOW + 60_000) })
const tokensIn = async (store: Store) =>
  (await store.listSessions('mallory')).map(({ sessionToken }) => sessionToken)

const PROVED = { id: 'mallory', email: ADDRESS, emailVerified: new Date(NOW) }
const EARLIER = { id: 'mallory', email: ADDRESS, emailVerified: null }
const ALL = {
  accounts: [accountOf('one'), accountOf('two')],
  passkeys: [{ credentialID: 'one' }, { credentialID: 'two' }],
  sessions: 2,
}
const NOTHING = { accounts: [], passkeys: [], sessions: 0 }
const INVALID = /^[0-9a-f-]{36}@released\.invalid$/

/** A store without some methods. */
const without =
  (...names: (keyof Adapter)[]): (() => ReturnType<Change>) =>
  () =>
    Object.fromEntries(names.map(name => [name, undefined]))
/** An adapter that has no `claimUser`, and what else differs. */
const inSteps =
  (change: Change): Change =>
  store => ({ ...change(store), claimUser: undefined })

const KINDS = [
  ['at once', (change: Change) => change, 11],
  ['in steps', inSteps, 10],
] as const

describe.each(KINDS)('a user who is emptied %s', (_, settingOf, rounds) => {
  const setting = settingOf(() => ({}))

  it('keeps nothing of the earlier owner, and the application is told what it was', async () => {
    const { settleIn, prove, left, told, store } = await createWorld(setting)
    await settleIn()
    expect(await prove()).toEqual(PROVED)
    expect(await left()).toEqual([0, 0, 0])
    expect(await store.listSessions('mallory')).toHaveLength(1)
    const message = { ...ALL, email: ADDRESS, earlierUser: EARLIER, outcome: 'emptied' }
    expect(told).toEqual([message])
  })

  it('may have had nothing of anybody in it', async () => {
    const { prove, told } = await createWorld(setting)
    expect(await prove()).toEqual(PROVED)
    expect(told).toMatchObject([{ ...NOTHING, outcome: 'emptied' }])
  })

  it('keeps no passkey if that is all there is', async () => {
    const { prove, left, store, told } = await createWorld(setting)
    await store.createAuthenticator({ ...keyOf('one'), userId: 'mallory' })
    expect(await prove()).toEqual(PROVED)
    expect(await left()).toEqual([0, 0, 0])
    expect(told).toMatchObject([{ passkeys: [{ credentialID: 'one' }] }])
  })

  it('needs no methods for passkeys in a store that has none', async () => {
    const keys = [
      'createAuthenticator',
      'listAuthenticatorsByUserId',
      'deleteAuthenticator',
    ] as const
    const { prove } = await createWorld(settingOf(without(...keys, 'passwords')), {
      hasOthers: false,
    })
    expect(await prove()).toEqual(PROVED)
  })

  it('keeps no session that begins while the application is told', async () => {
    const { prove, store, hooks } = await createWorld(setting)
    hooks.onClaim = async () => void (await addSession(store, 'late'))
    expect(await prove()).toEqual(PROVED)
    expect(await tokensIn(store)).not.toContain('late')
  })

  it('keeps no account that is added while the application is told', async () => {
    const { prove, left, store, hooks } = await createWorld(setting)
    hooks.onClaim = async () => {
      await store.linkAccount({ ...accountOf('late'), userId: 'mallory' })
      await addSession(store, 'late')
    }
    expect(await prove()).toEqual(PROVED)
    expect(await left()).toEqual([0, 0, 0])
    expect(await store.listSessions('mallory')).toHaveLength(1)
  })

  it('keeps no session that begins while the proof is stored', async () => {
    const { prove, store } = await createWorld(
      settingOf(({ claimUser, updateUser, ...rows }) => {
        const enter = () => addSession(rows as Store, 'late')
        return {
          async updateUser(...given) {
            await enter()
            return updateUser(...given)
          },
          async claimUser(claim) {
            const claimed = await claimUser(claim)
            if (claimed?.user) await enter()
            return claimed
          },
        }
      }),
    )
    expect(await prove()).toEqual(PROVED)
    expect(await tokensIn(store)).not.toContain('late')
  })

  it('stays as it is if somebody keeps coming in', async () => {
    let round = 0
    const { prove, store } = await createWorld(
      settingOf(({ claimUser, listAccounts, linkAccount }) => {
        const comeIn = () => linkAccount({ ...accountOf(String(++round)), userId: 'mallory' })
        return {
          async claimUser(claim) {
            await comeIn()
            return claimUser(claim)
          },
          async listAccounts(userId) {
            await comeIn()
            return listAccounts(userId)
          },
        }
      }),
    )
    expect(await prove()).toContain('Someone keeps signing in')
    expect((await store.getUser('mallory'))?.emailVerified).toBeNull()
    // How often the store is asked before it is given up.
    expect(round).toBe(rounds)
  })
})

it('a user who is emptied in steps keeps no session that begins with a password before that is removed', async () => {
  const { prove, store } = await createWorld(
    inSteps(({ updateUser, passwords }) => ({
      async updateUser(...given) {
        await passwords.set({ userId: 'mallory', hash: 'late', changedAt: new Date(NOW) })
        return updateUser(...given)
      },
      passwords: {
        ...passwords,
        async remove(userId) {
          if ((await passwords.get(userId))?.hash === 'late') await addSession(store, 'late')
          return passwords.remove(userId)
        },
      },
    })),
  )
  expect(await prove()).toEqual(PROVED)
  expect(await tokensIn(store)).not.toContain('late')
})

describe('a user whose address somebody else proves at this moment', () => {
  it.each([
    ['keeps everything', 'before it is emptied', [2, 2, 1], []],
    ['is theirs', 'after it is emptied', [0, 0, 0], ['emptied']],
  ])('%s, and signs Ann in: %s', async (_, moment, kept, outcomes) => {
    const earlier = new Date(NOW - 1000)
    const { settleIn, prove, left, told } = await createWorld(({ claimUser, updateUser }) => ({
      async claimUser(claim) {
        if ((claim.emailVerified === null) === (moment === 'before it is emptied')) {
          await updateUser({ id: 'mallory', emailVerified: earlier })
        }
        return claimUser(claim)
      },
    }))
    await settleIn()
    expect(await prove()).toEqual({ ...PROVED, emailVerified: earlier })
    expect(await left()).toEqual(kept)
    expect(told.map(({ outcome }) => outcome)).toEqual(outcomes)
  })
})

describe('sessions in another store than users', () => {
  it('are counted with those in it', async () => {
    const { settleIn, prove, told, store } = await createWorld(({ deleteSessions }) => ({
      deleteSessions: async userId => (await deleteSessions(userId)) + 3,
    }))
    await settleIn()
    expect(await prove()).toEqual(PROVED)
    expect(told).toMatchObject([{ sessions: 5 }])
    expect(await store.listSessions('mallory')).toHaveLength(1)
  })
})

describe('a user who cannot be emptied gives the address up', () => {
  it.each<keyof Adapter>([
    'listAccounts',
    'unlinkAccount',
    'deleteSessions',
    'createUserWithAccount',
    'deleteAuthenticator',
  ])('in a store without %s', async missing => {
    const { settleIn, prove, left, told, store } = await createWorld(without(missing))
    await settleIn()
    const ann = (await prove()) as AdapterUser
    expect(ann).toMatchObject({ email: ADDRESS, emailVerified: new Date(NOW) })
    expect(ann.id).not.toBe('mallory')
    expect(await left()).toEqual([2, 2, 1])
    expect((await store.getUser('mallory'))?.email).toBeNull()
    const message = { ...NOTHING, email: ADDRESS, earlierUser: EARLIER, outcome: 'released' }
    expect(told).toEqual([message])
  })

  const released = without('listAccounts')

  it.each<[string, Change]>([
    [
      'whose users must have one',
      ({ updateUser }) => ({
        async updateUser(user, ...rest) {
          if (user.email === null) throw new Error('not null')
          return updateUser(user, ...rest)
        },
      }),
    ],
    [
      'that takes null for no change',
      ({ updateUser }) => ({
        updateUser: ({ email, ...user }, ...rest) =>
          updateUser({ ...user, ...(email !== null && { email }) }, ...rest),
      }),
    ],
  ])('for one that nobody has in a store %s', async (_, change) => {
    const { prove, store } = await createWorld(rows => ({ ...change(rows), ...released() }))
    expect(await prove()).toMatchObject({ email: ADDRESS, emailVerified: new Date(NOW) })
    expect((await store.getUser('mallory'))?.email).toMatch(INVALID)
  })

  it('unless the store keeps it', async () => {
    const { prove, told, store } = await createWorld(({ getUser }) => ({
      ...released(),
      updateUser: async ({ id }) => (await getUser(id)) as AdapterUser,
    }))
    expect(await prove()).toContain('updateUser did not change that')
    expect(told).toEqual([])
    expect((await store.getUser('mallory'))?.email).toBe(ADDRESS)
  })

  it('though the store still finds the user by it', async () => {
    const { prove } = await createWorld(({ getUser, getUserByEmail }) => ({
      ...released(),
      // An index that follows late.
      getUserByEmail: async email =>
        (await getUserByEmail(email)) ?? (email === ADDRESS ? getUser('mallory') : null),
    }))
    expect(await prove()).toMatchObject({ email: ADDRESS, emailVerified: new Date(NOW) })
  })
})

describe('a store that takes two spellings for one address', () => {
  /** It finds either user by either address, and has room for one of them. */
  const alike: Change = ({ getUserByEmail, createUser }) => {
    const find = async (email: string) =>
      (await getUserByEmail(email)) ?? (await getUserByEmail(OTHER))
    return {
      getUserByEmail: find,
      async createUser(user) {
        if (await find(user.email)) throw new Error('there is one')
        return createUser(user)
      },
    }
  }
  const OTHER = '\u00e4nn@example.com'

  async function prove(mallory: Partial<AdapterUser>, change = alike, settings = {}) {
    const world = await createWorld(change, settings)
    await world.store.updateUser({ id: 'mallory', email: OTHER, ...mallory })
    return { ...world, ann: await world.prove() }
  }

  it('has the one give way that nobody has proved', async () => {
    const { ann, store, told } = await prove({})
    expect(ann).toMatchObject({ email: ADDRESS, emailVerified: new Date(NOW) })
    expect((ann as AdapterUser).id).not.toBe('mallory')
    expect((await store.getUser('mallory'))?.email).toBeNull()
    const earlierUser = { ...EARLIER, email: OTHER }
    expect(told).toEqual([{ ...NOTHING, email: ADDRESS, earlierUser, outcome: 'released' }])
  })

  it('has it give way if the application listens to no events', async () => {
    const { ann } = await prove({}, alike, { hears: false })
    expect(ann).toMatchObject({ email: ADDRESS, emailVerified: new Date(NOW) })
  })

  it('keeps the one that was proved, and another cannot be stored', async () => {
    const { ann, store, told } = await prove({ emailVerified: new Date(NOW) })
    expect(ann).toContain('createUser failed')
    expect((await store.getUser('mallory'))?.email).toBe(OTHER)
    expect(told).toEqual([])
  })

  it('reports why a user cannot be stored if there is no other', async () => {
    const { ann, told } = await prove({ email: 'elsewhere@example.com' }, rows => ({
      ...alike(rows),
      createUser: async () => {
        throw new Error('the disk is full')
      },
    }))
    expect(ann).toContain('createUser failed')
    expect(told).toEqual([])
  })
})
