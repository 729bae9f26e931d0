import { describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../../../adapters/src/memory.ts'
import type { AdapterUser } from '../base/adapter.ts'
import { InvalidCheck, OAuthAccountNotLinked } from '../base/errors.ts'
import { applyLink } from './apply-link.ts'
import type { AccountMethods, ProviderSignIn } from './provider-sign-in.ts'

const NOW = Date.UTC(2030, 0, 1)
const EMAIL = 'ann@example.com'
const PROVED = { emailVerified: new Date(Date.UTC(2020, 0, 1)) }
const ACCOUNT = { provider: 'op', providerAccountId: 'a1', type: 'oidc' } as const

/** A store with what was told to the application. Methods can be taken away. */
function setUp(absent: readonly (keyof AccountMethods)[] = []) {
  const store = MemoryAdapter()
  const rows = { ...store } as AccountMethods & typeof store
  for (const name of absent) Object.assign(rows, { [name]: undefined })
  const told: unknown[][] = []
  const events = {
    createUser: ({ user }: { user: { id?: string } }) => void told.push(['createUser', user.id]),
    updateUser: ({ user }: { user: { id?: string } }) => void told.push(['updateUser', user.id]),
    linkAccount: (message: { user: { id?: string }; account: object; profile: object }) =>
      void told.push(['linkAccount', message]),
    emailClaimed: ({ email, outcome }: { email: string; outcome: string }) =>
      void told.push(['emailClaimed', email, outcome]),
  }
  let count = 0
  const signIn = (over: Partial<ProviderSignIn> = {}): ProviderSignIn => ({
    user: { id: 'ignored', name: 'Ann', email: EMAIL },
    account: ACCOUNT,
    issuer: { issuer: 'https://op.test', isStored: false, isIdShared: () => false },
    stored: { access_token: 'new' },
    userByAccount: null,
    addTo: null,
    findSession: async () => ({}),
    requireUnrevoked: async () => ({}),
    canLinkByEmail: false,
    isEmailProven: true,
    hasOwnSignInMethods: async () => false,
    markers: { place: async () => {}, take: async () => false },
    session: null,
    now: () => NOW,
    randomHex: bytes => String(++count).padStart(bytes * 2, '0'),
    ...over,
  })
  return {
    store,
    rows,
    told,
    apply: (over?: Partial<ProviderSignIn>) => applyLink(rows, events, signIn(over)),
    /** The same for an application that listens to no events. */
    applyUnheard: (over?: Partial<ProviderSignIn>) => applyLink(rows, {}, signIn(over)),
    /** A user in the store. */
    user: (over: Partial<AdapterUser> = {}) =>
      store.createUser({ id: `u${++count}`, email: EMAIL, emailVerified: null, ...over }),
    /** An account of a user. */
    link: (user: AdapterUser, over: object = {}) =>
      store.linkAccount({ ...ACCOUNT, userId: user.id, ...over }),
  }
}

const other = { provider: 'other', providerAccountId: 'o1' }

describe('a known account', () => {
  it('signs its user in, with new tokens', async () => {
    const { store, user, link, apply, told } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    await link(ann, { access_token: 'old', expires_at: 7, refresh_token: 'kept' })
    expect(await apply({ userByAccount: ann })).toEqual({ user: ann, isNewUser: false })
    const row = await store.getAccount('a1', 'op')
    expect(row).toMatchObject({ userId: ann.id, access_token: 'new', refresh_token: 'kept' })
    // How long the earlier token was valid says nothing of this one.
    expect(row?.expires_at ?? null).toBeNull()
    expect(told).toEqual([])
  })

  it('keeps the end of its token if there is no new one', async () => {
    const { store, user, link, apply } = setUp()
    const ann = await user()
    await link(ann, { access_token: 'old', expires_at: 7 })
    await apply({ userByAccount: ann, stored: { scope: 'x' } })
    expect(await store.getAccount('a1', 'op')).toMatchObject({ expires_at: 7, scope: 'x' })
    await apply({ userByAccount: ann, stored: { access_token: 'b', expires_at: 9 } })
    expect(await store.getAccount('a1', 'op')).toMatchObject({ expires_at: 9 })
  })

  it('signs its user in if the store cannot update accounts', async () => {
    const { user, link, apply } = setUp(['updateAccount'])
    const ann = await user()
    await link(ann)
    expect((await apply({ userByAccount: ann, isEmailProven: false })).user).toEqual(ann)
  })

  it('of another user is not added', async () => {
    const { user, link, apply } = setUp()
    const ann = await user()
    const ben = await user({ email: 'ben@example.com' })
    await link(ann)
    const adding = apply({ userByAccount: ann, addTo: ben })
    await expect(adding).rejects.toThrow(/linked to a different user from the one who is signed in/)
    await expect(adding).rejects.toBeInstanceOf(OAuthAccountNotLinked)
    await expect(adding).rejects.toMatchObject({ cause: { provider: 'op' } })
  })
})

describe('the address of a user whose provider vouches for it', () => {
  it('is verified if the account is the only way in', async () => {
    const { user, link, apply, told } = setUp()
    const ann = await user()
    await link(ann)
    const { user: proved } = await apply({ userByAccount: ann })
    expect(proved).toEqual({ ...ann, emailVerified: new Date(NOW) })
    expect(told).toEqual([['updateUser', ann.id]])
  })

  it.each<[string, Partial<ProviderSignIn>]>([
    ['the provider does not vouch for it', { isEmailProven: false }],
    ['the provider names another', { user: { id: 'x', email: 'ben@example.com' } }],
    ['the provider names none', { user: { id: 'x' } }],
  ])('is not verified if %s', async (_, over) => {
    const { store, user, link, apply, told } = setUp()
    const ann = await user()
    await link(ann)
    expect((await apply({ userByAccount: ann, ...over })).user).toEqual(ann)
    expect((await store.getUser(ann.id))?.emailVerified).toBeNull()
    expect(told).toEqual([])
  })

  it('is not verified if the user has another account, whose owner may have chosen the address', async () => {
    const { store, user, link, apply } = setUp()
    const ann = await user()
    await link(ann)
    await link(ann, other)
    expect((await apply({ userByAccount: ann })).user.emailVerified).toBeNull()
    expect((await store.getUser(ann.id))?.emailVerified).toBeNull()
  })

  it.each(['claimUser', 'nothing'] as const)(
    'is not verified, and no session ends, if there are other ways in, in a store without %s',
    async absent => {
      for (const kind of ['another account', 'a method of the application', 'a session'] as const) {
        const { store, rows, user, link, apply } = setUp(absent === 'nothing' ? [] : [absent])
        const ann = await user()
        await link(ann)
        if (kind === 'another account') await link(ann, other)
        const ended = vi.spyOn(rows, 'deleteSessions')
        const { user: same } = await apply({
          userByAccount: ann,
          // The session in which the same account is added once more.
          addTo: kind === 'a session' ? ann : null,
          hasOwnSignInMethods: async () => kind === 'a method of the application',
        })
        expect(same, kind).toEqual(ann)
        expect((await store.getUser(ann.id))?.emailVerified, kind).toBeNull()
        expect(ended, kind).not.toHaveBeenCalled()
      }
    },
  )

  it('is not verified if another account is added while the sessions end', async () => {
    const { store, rows, user, link, apply } = setUp()
    const ann = await user()
    await link(ann)
    vi.spyOn(rows, 'deleteSessions').mockImplementation(async () => {
      await link(ann, other)
      return 0
    })
    expect((await apply({ userByAccount: ann })).user).toEqual(ann)
    expect((await store.getUser(ann.id))?.emailVerified).toBeNull()
  })

  it.each<[string, readonly (keyof AccountMethods)[]]>([
    ['at once', []],
    ['in steps', ['claimUser']],
  ])('is verified %s, and all earlier sessions have ended before that', async (_, absent) => {
    const { store, rows, user, link, apply } = setUp(absent)
    const ann = await user()
    await link(ann)
    const verified: unknown[] = []
    vi.spyOn(rows, 'deleteSessions').mockImplementation(async id => {
      verified.push(id, (await store.getUser(ann.id))?.emailVerified)
      return 0
    })
    expect((await apply({ userByAccount: ann })).user.emailVerified).toEqual(new Date(NOW))
    expect(verified).toEqual([ann.id, null])
  })

  it.each<[string, readonly (keyof AccountMethods)[]]>([
    ['at once', []],
    ['in steps', ['claimUser']],
  ])('is verified %s in a store that has no sessions', async (_, absent) => {
    const { user, link, apply } = setUp([...absent, 'deleteSessions'])
    const ann = await user()
    await link(ann)
    expect((await apply({ userByAccount: ann })).user.emailVerified).toEqual(new Date(NOW))
  })

  it('is not verified anew', async () => {
    const { user, link, apply, told } = setUp()
    const before = new Date(NOW - 1000)
    const ann = await user({ emailVerified: before })
    await link(ann)
    expect((await apply({ userByAccount: ann })).user.emailVerified).toEqual(before)
    expect(told).toEqual([])
  })

  it.each([
    [true, null],
    [false, new Date(NOW)],
  ])(
    'in a store that lists no accounts depends on linking by address: %s',
    async (may, verified) => {
      const { user, link, apply } = setUp(['listAccounts', 'claimUser'])
      const ann = await user()
      await link(ann)
      const { user: proved } = await apply({ userByAccount: ann, canLinkByEmail: may })
      expect(proved.emailVerified).toEqual(verified)
    },
  )

  it('does not count as proved if the application changes it meanwhile', async () => {
    const { store, user, link, apply } = setUp()
    const ann = await user()
    await link(ann)
    const hasOwnSignInMethods = async () => {
      await store.updateUser({ id: ann.id, email: 'other@example.com' })
      return false
    }
    await apply({ userByAccount: ann, hasOwnSignInMethods })
    expect((await store.getUser(ann.id))?.emailVerified).toBeNull()
  })

  it('keeps its first proof in a store without claimUser', async () => {
    const { store, user, link, apply } = setUp(['claimUser'])
    const ann = await user()
    await link(ann)
    const hasOwnSignInMethods = async () => {
      await store.updateUser({ id: ann.id, ...PROVED })
      return false
    }
    await apply({ userByAccount: ann, hasOwnSignInMethods })
    expect((await store.getUser(ann.id))?.emailVerified).toEqual(PROVED.emailVerified)
  })

  it('does not count as proved if another account is added meanwhile', async () => {
    const { store, user, link, apply } = setUp()
    const ann = await user()
    await link(ann)
    const hasOwnSignInMethods = async () => {
      await link(ann, { providerAccountId: 'a2' })
      return false
    }
    await apply({ userByAccount: ann, hasOwnSignInMethods })
    expect((await store.getUser(ann.id))?.emailVerified).toBeNull()
    expect(await store.listAccounts(ann.id)).toHaveLength(2)
  })

  it('stays as it is in a store that updates no users', async () => {
    const { user, link, apply } = setUp(['updateUser', 'claimUser'])
    const ann = await user()
    await link(ann)
    expect((await apply({ userByAccount: ann })).user).toEqual(ann)
  })
})

describe('an account that is added', () => {
  /** A user who leaves while the account is stored. */
  const leaving = () => {
    let asked = 0
    return { findSession: async () => (++asked < 2 ? {} : null) }
  }

  it('belongs to the user, and the application is told', async () => {
    const { store, user, apply, told } = setUp()
    const ann = await user({ email: 'ann@work.example' })
    expect(await apply({ addTo: ann })).toEqual({ user: ann, isNewUser: false })
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ann.id })
    const account = { ...ACCOUNT, access_token: 'new', userId: ann.id }
    const profile = { id: 'ignored', name: 'Ann', email: EMAIL }
    expect(told).toEqual([['linkAccount', { user: ann, account, profile }]])
  })

  it('is stored if the application listens to no events', async () => {
    const { store, user, applyUnheard } = setUp()
    const ann = await user()
    expect((await applyUnheard({ addTo: ann })).user).toEqual(ann)
    const proved = await applyUnheard({ userByAccount: ann })
    expect(proved.user.emailVerified).toEqual(new Date(NOW))
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ann.id })
  })

  it('is not asked whose address it has', async () => {
    const { rows, user, apply } = setUp()
    const asked = vi.spyOn(rows, 'getUserByEmail')
    await apply({ addTo: await user({ email: 'ann@work.example' }) })
    expect(asked).not.toHaveBeenCalled()
  })

  it('is not stored for a user who has left', async () => {
    const { store, user, apply } = setUp()
    const adding = apply({ addTo: await user(), findSession: async () => null })
    await expect(adding).rejects.toThrow(/no longer signed in/)
    await expect(adding).rejects.toBeInstanceOf(InvalidCheck)
    await expect(adding).rejects.toMatchObject({ cause: { provider: 'op' } })
    expect(await store.getAccount('a1', 'op')).toBeNull()
  })

  it('is not stored if the address of the user is proved at this moment', async () => {
    const { store, rows, user, apply, told } = setUp()
    const ann = await user()
    const link = rows.linkAccountIf?.bind(rows)
    rows.linkAccountIf = async given => {
      await store.updateUser({ id: ann.id, emailVerified: new Date(NOW) })
      return link?.(given) ?? 'changed'
    }
    await expect(apply({ addTo: ann })).rejects.toBeInstanceOf(InvalidCheck)
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect(told).toEqual([])
  })

  it('is stored by a session that is in another store, and removed if that has ended meanwhile', async () => {
    const { store, user, apply } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    const elsewhere = { sessionToken: 'in another store' }
    let asked = 0
    const leaves = async () => (++asked < 3 ? elsewhere : null)
    await expect(apply({ addTo: ann, findSession: leaves })).rejects.toBeInstanceOf(InvalidCheck)
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect((await apply({ addTo: ann, findSession: async () => elsewhere })).user).toEqual(ann)
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ann.id })
  })

  it('of another user is not stored by a session that is in another store', async () => {
    const { store, user, link, apply, told } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    const ben = await user({ email: 'ben@example.com' })
    await link(ben)
    const adding = apply({ addTo: ann, findSession: async () => ({ sessionToken: 'elsewhere' }) })
    await expect(adding).rejects.toThrow(/linked to a different user/)
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ben.id })
    expect(told).toEqual([])
  })

  it('is not stored by a session that is in another store if the address of the user is proved at this moment', async () => {
    const { store, rows, user, apply, told } = setUp()
    const ann = await user()
    rows.linkAccountIf = async given => {
      const { sessionToken } = given.condition
      if (!sessionToken) await store.updateUser({ id: ann.id, emailVerified: new Date(NOW) })
      return store.linkAccountIf(given)
    }
    const adding = apply({ addTo: ann, findSession: async () => ({ sessionToken: 'elsewhere' }) })
    await expect(adding).rejects.toThrow(/no longer signed in/)
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect(told).toEqual([])
  })

  it('is not stored if the store finds a revocation at this moment', async () => {
    const { store, rows, user, apply } = setUp()
    rows.linkAccountIf = async given => {
      rows.linkAccountIf = store.linkAccountIf
      expect(given.condition).not.toHaveProperty('sessionToken')
      return 'changed'
    }
    await expect(apply({ addTo: await user() })).rejects.toThrow(/no longer signed in/)
    expect(await store.getAccount('a1', 'op')).toBeNull()
  })

  it('is removed if the store could not ask for revocations, and there is one', async () => {
    const { store, rows, user, apply, told } = setUp()
    rows.linkAccountIf = async given => {
      expect(await store.linkAccountIf(given)).toBe('linked')
      return 'unchecked'
    }
    const ann = await user()
    await expect(apply({ addTo: ann, ...leaving() })).rejects.toThrow(/no longer signed in/)
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect(told).toEqual([])
    expect((await apply({ addTo: ann })).user).toEqual(ann)
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ann.id })
  })

  it('is not stored by a session that ends at this moment', async () => {
    const { store, user, apply } = setUp()
    const ann = await user()
    let asked = 0
    const ended = async () => (++asked < 2 ? { sessionToken: 'ended' } : null)
    await expect(apply({ addTo: ann, findSession: ended })).rejects.toThrow(/no longer signed in/)
    expect(await store.getAccount('a1', 'op')).toBeNull()
  })

  // What an adapter without linkAccountIf can do.

  it('is removed if the user has left meanwhile, and whoever has come in by it is signed out', async () => {
    const { store, rows, user, apply, told } = setUp(['linkAccountIf'])
    const ann = await user()
    const ended = vi.spyOn(rows, 'deleteSessions')
    await expect(apply({ addTo: ann, ...leaving() })).rejects.toThrow(/no longer signed in/)
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect(ended.mock.calls).toEqual([[ann.id]])
    expect(told).toEqual([])
  })

  it('is removed, and nobody is signed out, if the address of the user is verified', async () => {
    const { store, rows, user, apply } = setUp(['linkAccountIf'])
    const ann = await user({ emailVerified: new Date(NOW) })
    const ended = vi.spyOn(rows, 'deleteSessions')
    await expect(apply({ addTo: ann, ...leaving() })).rejects.toBeInstanceOf(InvalidCheck)
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect(ended).not.toHaveBeenCalled()
  })

  it('is removed if it cannot be known whether the user has left', async () => {
    const { store, user, apply } = setUp(['linkAccountIf'])
    let asked = 0
    const findSession = async () => {
      if (++asked === 2) throw new Error('the store is down')
      return {}
    }
    await expect(apply({ addTo: await user(), findSession })).rejects.toThrow('store is down')
    expect(await store.getAccount('a1', 'op')).toBeNull()
  })

  it('fails in the same way in a store that removes neither accounts nor sessions', async () => {
    const { user, apply } = setUp(['linkAccountIf', 'unlinkAccount', 'deleteSessions'])
    await expect(apply({ addTo: await user(), ...leaving() })).rejects.toBeInstanceOf(InvalidCheck)
  })

  it('by another tab of the same user is there already', async () => {
    const { rows, user, link, apply, told } = setUp()
    const ann = await user()
    await link(ann)
    vi.spyOn(rows, 'linkAccount').mockRejectedValue(new Error('there is one'))
    expect(await apply({ addTo: ann })).toEqual({ user: ann, isNewUser: false })
    expect(told).toEqual([])
  })

  it('by another user in the meantime is refused', async () => {
    const { rows, user, link, apply } = setUp()
    const ann = await user()
    const ben = await user({ email: 'ben@example.com' })
    await link(ben)
    vi.spyOn(rows, 'linkAccount').mockRejectedValue(new Error('there is one'))
    await expect(apply({ addTo: ann })).rejects.toThrow(/linked to a different user/)
  })
})

describe('someone whose address another user has', () => {
  it.each([
    ['nobody vouches for it', { isEmailProven: false }],
    ['the application does not link by address', { isEmailProven: true }],
  ])('is refused if %s', async (_, over) => {
    const { store, user, apply } = setUp()
    await user({ emailVerified: new Date(NOW) })
    const signing = apply(over)
    await expect(signing).rejects.toThrow(
      /Another user has this address\. Sign in as that user first/,
    )
    await expect(signing).rejects.toBeInstanceOf(OAuthAccountNotLinked)
    expect(await store.getAccount('a1', 'op')).toBeNull()
  })

  it('is linked if the application links by address', async () => {
    const { store, user, apply, told } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    expect(await apply({ canLinkByEmail: true })).toEqual({ user: ann, isNewUser: false })
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ann.id })
    expect(told.map(([name]) => name)).toEqual(['linkAccount'])
  })

  it('is decided again if the user has changed when the account is linked', async () => {
    const { store, rows, user, apply, told } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    // The address goes to another user at this moment.
    rows.linkAccountIf = async link => {
      rows.linkAccountIf = store.linkAccountIf
      await store.updateUser({ id: ann.id, email: 'elsewhere@example.com' })
      return store.linkAccountIf(link)
    }
    const { user: linked, isNewUser } = await apply({ canLinkByEmail: true })
    expect([linked.email, isNewUser]).toEqual([EMAIL, true])
    expect(linked.id).not.toBe(ann.id)
    expect(await store.listAccounts(ann.id)).toEqual([])
    expect(told.map(([name]) => name)).toEqual(['createUser', 'linkAccount'])
  })

  it('is let in if the same person has signed up in the meantime', async () => {
    const { rows, user, link, apply } = setUp()
    const ann = await user()
    await link(ann)
    expect(await apply({ isEmailProven: false })).toEqual({ user: ann, isNewUser: false })
    expect(rows).toBeDefined()
  })

  it('goes on with a sign-up of this very account that was interrupted', async () => {
    for (const isEmailProven of [false, true]) {
      const { store, user, apply } = setUp()
      const ann = await user()
      const take = vi.fn(async () => true)
      const markers = { place: async () => {}, take }
      expect(await apply({ isEmailProven, markers })).toEqual({ user: ann, isNewUser: true })
      expect(take).toHaveBeenCalledWith(expect.anything(), { account: ACCOUNT, userId: ann.id })
      expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: ann.id })
    }
  })

  it('does not go on with a sign-up whose account goes to another user at this moment', async () => {
    const { store, rows, user, link, apply, told } = setUp()
    const ann = await user()
    const ben = await user({ email: 'ben@example.com' })
    rows.linkAccountIf = async given => {
      await link(ben)
      return store.linkAccountIf(given)
    }
    const markers = { place: async () => {}, take: async () => true }
    const signing = apply({ isEmailProven: false, markers })
    await expect(signing).rejects.toThrow(/Another user has this address/)
    expect(await store.listAccounts(ann.id)).toEqual([])
    expect(await store.listAccounts(ben.id)).toHaveLength(1)
    expect(told).toEqual([])
  })

  it('does not go on with the sign-up of a user whose address was verified since', async () => {
    const { user, apply } = setUp()
    await user({ emailVerified: new Date(NOW) })
    const take = vi.fn(async () => true)
    const markers = { place: async () => {}, take }
    await expect(apply({ isEmailProven: false, markers })).rejects.toThrow(/Another user has/)
    expect(take).not.toHaveBeenCalled()
  })

  it('gets the user emptied, if the address is proved and linking by it is allowed', async () => {
    const { store, rows, user, link, apply, told } = setUp()
    const mallory = await user()
    await link(mallory, other)
    const create = vi.spyOn(rows, 'createUserWithAccount')
    const { user: ann, isNewUser } = await apply({ canLinkByEmail: true })
    expect([ann.id, ann.emailVerified, isNewUser]).toEqual([mallory.id, new Date(NOW), false])
    expect(create).not.toHaveBeenCalled()
    expect(told).toContainEqual(['emailClaimed', EMAIL, 'emptied'])
    expect(await store.listAccounts(mallory.id)).toMatchObject([{ provider: 'op' }])
  })

  it('gets a new user, and the other gives the address up, if linking by it is not allowed', async () => {
    const { store, user, link, apply, told } = setUp()
    const mallory = await user()
    await link(mallory, other)
    const { user: ann, isNewUser } = await apply()
    expect(isNewUser).toBe(true)
    expect(told).toContainEqual(['emailClaimed', EMAIL, 'released'])
    expect(ann.id).not.toBe(mallory.id)
    expect(ann).toMatchObject({ email: EMAIL, emailVerified: new Date(NOW) })
    expect((await store.getUser(mallory.id))?.email).not.toBe(EMAIL)
    expect(await store.listAccounts(mallory.id)).toMatchObject([{ provider: 'other' }])
  })
})

describe('someone whose address a user has who never proved it', () => {
  it('is refused if the store cannot change that', async () => {
    const { store, user, link, apply, told } = setUp(['updateUser', 'claimUser'])
    const mallory = await user()
    await link(mallory, other)
    await expect(apply()).rejects.toThrow(/has no updateUser to change that/)
    await expect(apply({ canLinkByEmail: true })).rejects.toThrow(/has no updateUser/)
    expect(await store.listAccounts(mallory.id)).toMatchObject([{ provider: 'other' }])
    expect(told).toEqual([])
  })

  it('is let in if the application listens to no events', async () => {
    for (const canLinkByEmail of [true, false]) {
      const { user, applyUnheard } = setUp()
      const mallory = await user()
      const { user: ann } = await applyUnheard({ canLinkByEmail })
      expect(ann).toMatchObject({ email: EMAIL, emailVerified: new Date(NOW) })
      expect(ann.id === mallory.id).toBe(canLinkByEmail)
    }
  })
})

describe('an address that is proved while it is to be released', () => {
  it('stays where it is, and the person who came second is refused', async () => {
    const { store, rows, user, link, apply, told } = setUp()
    const ann = await user()
    await link(ann, other)
    const update = rows.updateUser?.bind(rows)
    rows.updateUser = async (...given) => {
      await store.updateUser({ id: ann.id, emailVerified: new Date(NOW) })
      return update?.(...given) ?? ann
    }
    await expect(apply()).rejects.toThrow(/Another user has this address/)
    expect(await store.getUser(ann.id)).toMatchObject({ email: EMAIL })
    expect(told).toEqual([])
  })
})

describe('an account that is linked by the address', () => {
  const byAddress = { isEmailProven: true, canLinkByEmail: true }

  it('is reported to the application', async () => {
    const { store, user, apply, applyUnheard, told } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    expect(await apply(byAddress)).toEqual({ user: ann, isNewUser: false })
    const account = { ...ACCOUNT, userId: ann.id, access_token: 'new' }
    const profile = { id: 'ignored', name: 'Ann', email: EMAIL }
    expect(told).toEqual([['linkAccount', { user: ann, account, profile }]])
    await store.unlinkAccount(ACCOUNT)
    expect(await applyUnheard(byAddress)).toEqual({ user: ann, isNewUser: false })
  })

  it('by another request of the same person is there already', async () => {
    const { rows, user, link, apply, told } = setUp()
    const ann = await user({ emailVerified: new Date(NOW) })
    await link(ann)
    vi.spyOn(rows, 'linkAccount').mockRejectedValue(new Error('there is one'))
    expect(await apply(byAddress)).toEqual({ user: ann, isNewUser: false })
    expect(told).toEqual([])
  })

  it('by another user in the meantime signs that user in', async () => {
    const { rows, user, link, apply, told } = setUp()
    await user({ emailVerified: new Date(NOW) })
    const ben = await user({ email: 'ben@example.com', emailVerified: new Date(NOW) })
    await link(ben)
    vi.spyOn(rows, 'linkAccount').mockRejectedValue(new Error('there is one'))
    expect(await apply(byAddress)).toEqual({ user: ben, isNewUser: false })
    expect(told).toEqual([])
  })
})

describe('while all sessions of the user are revoked', () => {
  const byAddress = { isEmailProven: true, canLinkByEmail: true }

  /** They are revoked before the user is asked for this many times. */
  const revokedAt = (time: number) => {
    let asked = 0
    return {
      async requireUnrevoked() {
        if (++asked >= time) throw new InvalidCheck('revoked')
        return {}
      },
    }
  }

  it('an account of theirs gets no tokens', async () => {
    const { store, user, link, apply } = setUp()
    const ann = await user()
    await link(ann, { access_token: 'old' })
    await expect(apply({ userByAccount: ann, ...revokedAt(1) })).rejects.toThrow('revoked')
    expect(await store.getAccount('a1', 'op')).toMatchObject({ access_token: 'old' })
  })

  it('an account of theirs keeps none of the tokens that it has just got', async () => {
    const { store, user, link, apply } = setUp()
    const ann = await user()
    await link(ann, { access_token: 'old', refresh_token: 'old' })
    await expect(apply({ userByAccount: ann, ...revokedAt(2) })).rejects.toThrow('revoked')
    const row = await store.getAccount('a1', 'op')
    expect(row?.userId).toBe(ann.id)
    expect([row?.access_token ?? null, row?.refresh_token ?? null]).toEqual([null, null])
  })

  it.each([1, 2])('no account is linked by their address (%i)', async time => {
    const { store, user, apply, told } = setUp(['linkAccountIf'])
    await user({ emailVerified: new Date(NOW) })
    await expect(apply({ ...byAddress, ...revokedAt(time) })).rejects.toThrow('revoked')
    expect(await store.getAccount('a1', 'op')).toBeNull()
    expect(told).toEqual([])
  })

  it('a sign-up that was interrupted can be continued later', async () => {
    const { user, apply } = setUp(['linkAccountIf'])
    const ann = await user()
    const place = vi.fn(async () => {})
    const markers = { place, take: async () => true }
    await expect(apply({ isEmailProven: false, markers, ...revokedAt(1) })).rejects.toThrow(
      'revoked',
    )
    expect(place).toHaveBeenCalledWith(expect.anything(), { account: ACCOUNT, userId: ann.id })
  })

  it('their sessions are ended by that, and by nothing else', async () => {
    const { rows, user, apply } = setUp(['linkAccountIf'])
    await user()
    const deleteSessions = vi.spyOn(rows, 'deleteSessions')
    const markers = { place: async () => {}, take: async () => true }
    await expect(apply({ isEmailProven: false, markers, ...revokedAt(2) })).rejects.toThrow(
      'revoked',
    )
    expect(deleteSessions).not.toHaveBeenCalled()
  })

  it('linking fails in the same way in a store that removes no accounts', async () => {
    const { user, apply } = setUp(['linkAccountIf', 'unlinkAccount'])
    await user({ emailVerified: new Date(NOW) })
    await expect(apply({ ...byAddress, ...revokedAt(2) })).rejects.toThrow('revoked')
  })
})

describe('someone new', () => {
  it('gets a user', async () => {
    const { store, apply, told } = setUp()
    const { user, isNewUser } = await apply()
    expect(isNewUser).toBe(true)
    expect(user).toMatchObject({ name: 'Ann', email: EMAIL, emailVerified: new Date(NOW) })
    expect(await store.getAccount('a1', 'op')).toMatchObject({ userId: user.id })
    expect(told.map(([name]) => name)).toEqual(['createUser', 'linkAccount'])
  })

  it('needs no address, and nobody is asked for it', async () => {
    const { rows, apply } = setUp()
    const asked = vi.spyOn(rows, 'getUserByEmail')
    const { isNewUser } = await apply({ user: { id: 'x', name: 'Ann' } })
    expect(isNewUser).toBe(true)
    expect(asked).not.toHaveBeenCalled()
  })

  it('is the user whom another tab has made in the meantime', async () => {
    const { rows, user, link, apply } = setUp()
    let ann: AdapterUser | undefined
    vi.spyOn(rows, 'createUserWithAccount').mockImplementationOnce(async () => {
      ann = await user({ emailVerified: new Date(NOW) })
      await link(ann)
      return null
    })
    const linked = await apply()
    expect(linked).toEqual({ user: ann, isNewUser: false })
  })

  it('is refused if the store changes each time', async () => {
    const { rows, apply } = setUp()
    const create = vi.spyOn(rows, 'createUserWithAccount').mockResolvedValue(null)
    await expect(apply()).rejects.toThrow(/Another user has this address/)
    expect(create).toHaveBeenCalledTimes(4)
  })
})
