import type { Adapter, AdapterAccount } from '@siteauth/core/adapters'
import type { OAuth2Config } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { createTenant, personOf, signIn, signInAs } from './tenants.ts'

const A = 'https://a.test'
const B = 'https://b.test'

/** An adapter that has never heard of issuers, as those of Auth.js. */
function withoutColumn(): Adapter {
  const { extends: _, linkAccount, createUserWithAccount: __, ...adapter } = MemoryAdapter()
  return {
    ...adapter,
    linkAccount(account) {
      if ('issuer' in account) throw new Error('there is no column issuer')
      return linkAccount(account)
    },
  }
}

const ADAPTERS: Readonly<Record<string, () => Adapter>> = {
  'with a column': MemoryAdapter,
  'without a column': withoutColumn,
}

/** Stores the account of a person as an earlier version, or another issuer, has left it. */
async function storeOwner(adapter: Adapter, issuer: string | null): Promise<void> {
  const owner = { id: 'owner', name: 'The owner', email: 'owner@a.test', emailVerified: new Date() }
  await adapter.createUser?.(owner)
  const account: AdapterAccount = {
    userId: owner.id,
    type: 'oidc',
    provider: 'op',
    providerAccountId: '7',
    ...(issuer && { issuer }),
  }
  await adapter.linkAccount?.(account)
}

const stored = async (adapter: Adapter) => adapter.getAccount?.('7', 'op')

type Row = 'without an issuer' | 'of the same issuer' | 'of another issuer'

const ISSUERS: Readonly<Record<Row, string | null>> = {
  'without an issuer': null,
  'of the same issuer': A,
  'of another issuer': B,
}

// An adapter without a column has only rows without an issuer, and no second issuer.
const TABLE: readonly (readonly [Row, 'one' | 'two', string, string | null, string | null])[] = [
  // row, configured, adapter, who is signed in, the issuer of the row afterwards
  ['without an issuer', 'one', 'with a column', 'The owner', A],
  ['without an issuer', 'one', 'without a column', 'The owner', null],
  ['without an issuer', 'two', 'with a column', null, null],
  ['of the same issuer', 'one', 'with a column', 'The owner', A],
  ['of the same issuer', 'two', 'with a column', 'The owner', A],
  ['of another issuer', 'one', 'with a column', null, B],
  ['of another issuer', 'two', 'with a column', null, B],
]

describe.each(['jwt', 'database'] as const)('an account that is stored, %s sessions', strategy => {
  it.each(TABLE)('%s, %s configured, %s: %s', async (row, count, kind, person, after) => {
    const adapter = ADAPTERS[kind]?.() ?? {}
    await storeOwner(adapter, ISSUERS[row])
    const config = { session: { strategy } }
    const tenant = await createTenant(A, adapter, config)
    if (count === 'two') await (await createTenant(B, adapter, config)).getSession({ headers: {} })
    const visitor = await signIn(tenant)
    expect(await personOf(visitor)).toBe(person)
    expect((await stored(adapter))?.issuer ?? null).toBe(after)
    expect((await stored(adapter))?.userId).toBe('owner')
  })

  it('of another issuer is refused, and the log names the remedy', async () => {
    const adapter = MemoryAdapter()
    await storeOwner(adapter, B)
    const tenant = await createTenant(A, adapter, { session: { strategy } })
    expect(await redirectOf(tenant)).toContain('error=OAuthAccountNotLinked')
    expect(tenant.errors.map(String).join()).toMatch(/https:\/\/b\.test.*provider id/s)
  })

  it('of another issuer is added to nobody who is signed in', async () => {
    const adapter = MemoryAdapter()
    await storeOwner(adapter, B)
    const ann = { id: 'ann', name: 'Ann', email: 'ann@a.test', emailVerified: new Date() }
    await adapter.createUser(ann)
    const tenant = await createTenant(A, adapter, { session: { strategy } })
    const visitor = await signInAs(tenant, { user: ann })
    expect(await redirectOf(tenant, visitor)).toContain('error=OAuthAccountNotLinked')
    expect(await personOf(visitor)).toBe('Ann')
    expect(await adapter.listAccounts('ann')).toEqual([])
    expect((await stored(adapter))?.userId).toBe('owner')
  })

  it.each(Object.keys(ADAPTERS))('is stored with its issuer if the adapter can, %s', async kind => {
    const adapter = ADAPTERS[kind]?.() ?? {}
    const tenant = await createTenant(A, adapter, { session: { strategy } })
    expect(await personOf(await signIn(tenant))).toBe('a.test')
    expect((await stored(adapter))?.issuer).toBe(kind === 'with a column' ? A : undefined)
    expect(await personOf(await signIn(tenant))).toBe('a.test')
  })

  it('is found again if the slash after the origin of its issuer came or went', async () => {
    const adapter = MemoryAdapter()
    await storeOwner(adapter, `${A}/`)
    const tenant = await createTenant(A, adapter, { session: { strategy } })
    expect(await personOf(await signIn(tenant))).toBe('The owner')
  })

  it('is stored without the issuer that a provider sends among its tokens', async () => {
    const adapter = withoutColumn()
    const tenant = await createTenant(A, adapter, { session: { strategy } })
    tenant.provider.change.tokens = tokens => ({ ...tokens, issuer: B })
    expect(await personOf(await signIn(tenant))).toBe('a.test')
  })
})

describe('two configurations with one adapter and one provider id', () => {
  it.each(['the first', 'the second'])(
    '%s is used first: the second is refused without a column',
    async first => {
      const adapter = withoutColumn()
      const [a, b] = [await createTenant(A, adapter), await createTenant(B, adapter)]
      if (first === 'the second') await b.handle(new Request('https://app.example.com/auth/csrf'))
      expect(await personOf(await signIn(a))).toBe('a.test')
      expect((await b.handle(new Request('https://app.example.com/auth/csrf'))).status).toBe(500)
      expect(b.errors.map(String).join()).toMatch(/"op" stands for https:\/\/b\.test.*own id/s)
    },
  )

  it('may have the same issuer without a column', async () => {
    const adapter = withoutColumn()
    const [one, other] = [await createTenant(A, adapter), await createTenant(`${A}/`, adapter)]
    expect(await personOf(await signIn(one))).toBe('a.test')
    expect((await other.handle(new Request('https://app.example.com/auth/csrf'))).status).toBe(200)
  })

  it('may have an adapter each', async () => {
    for (const issuer of [A, B]) {
      const tenant = await createTenant(issuer, withoutColumn())
      expect(await personOf(await signIn(tenant))).toBe(new URL(issuer).host)
    }
  })

  it('are refused with a column, too, if one of them has no issuer to be stored', async () => {
    const adapter = MemoryAdapter()
    const plain = (site: string): OAuth2Config<Profile> => ({
      ...{ id: 'op', name: 'Plain', type: 'oauth', clientId: 'id', clientSecret: 'secret' },
      authorization: `${site}/authorize`,
      token: `${site}/token`,
      userinfo: `${site}/me`,
    })
    const [a, b] = [A, B].map(site => createTestAuth({ adapter, providers: [plain(site)] }))
    expect((await a?.handle(new Request('https://app.example.com/auth/csrf')))?.status).toBe(200)
    expect((await b?.handle(new Request('https://app.example.com/auth/csrf')))?.status).toBe(500)
    expect(b?.errors.map(String).join()).toMatch(/set `issuer`/)
  })
})

describe.each(['jwt', 'database'] as const)(
  'what belongs to another issuer, %s sessions',
  strategy => {
    /** Somebody who uses two tenants on one store, where subject 7 of B is theirs. */
    async function setUp() {
      const adapter = MemoryAdapter()
      const config = { session: { strategy } }
      const [a, b] = [
        await createTenant(A, adapter, config),
        await createTenant(B, adapter, config),
      ]
      await signIn(b)
      const user = await adapter.getUserByAccount({ provider: 'op', providerAccountId: '7' })
      if (!user) throw new Error('nobody has signed in')
      return { adapter, a, b, visitor: await signInAs(a, { user }), user }
    }

    const requestFrom = (visitor: Visitor) =>
      new Request('https://app.example.com/', {
        headers: { cookie: visitor.cookieHeader(), 'sec-fetch-site': 'same-origin' },
      })

    it('is not refreshed at this one, which would learn the refresh token', async () => {
      const { a, visitor, adapter } = await setUp()
      await adapter.updateAccount({ provider: 'op', providerAccountId: '7', expires_at: 1 })
      const before = a.provider.requests.length
      const asked = a.accounts.getAccessToken(requestFrom(visitor), 'op')
      await expect(asked).rejects.toMatchObject({ code: 'no_account' })
      expect(a.provider.requests.length).toBe(before)
    })

    it('is not handed out as the token of this one, nor listed, nor unlinked', async () => {
      const { a, b, visitor, adapter, user } = await setUp()
      const asked = a.accounts.getAccessToken(requestFrom(visitor), 'op')
      await expect(asked).rejects.toMatchObject({ code: 'no_account' })
      expect(await a.accounts.list(requestFrom(visitor))).toEqual([])
      const account = { provider: 'op', accountId: '7' }
      const outcome = await a.accounts.unlink(requestFrom(visitor), account, {
        hasOtherSignInMethod: true,
      })
      expect(outcome).toMatchObject({ unlinked: false })
      expect(await stored(adapter)).toMatchObject({ issuer: B })
      const there = await signInAs(b, { user })
      expect(await b.accounts.list(requestFrom(there))).toHaveLength(1)
      expect((await b.accounts.getAccessToken(requestFrom(there), 'op')).accountId).toBe('7')
    })

    it('is not known to be of this one if its row says nothing: no token is handed out', async () => {
      const { a, visitor, adapter } = await setUp()
      const none = null as unknown as string
      await adapter.updateAccount({ provider: 'op', providerAccountId: '7', issuer: none })
      const asked = a.accounts.getAccessToken(requestFrom(visitor), 'op')
      await expect(asked).rejects.toMatchObject({ code: 'no_account' })
    })
  },
)

describe('tokens in a cookie', () => {
  it('of the issuer that the id stood for before are not sent to the one that it stands for now', async () => {
    const config = { account: { storeTokensInCookie: true } }
    const [a, b] = [
      await createTenant(A, undefined, config),
      await createTenant(B, undefined, config),
    ]
    const visitor = await signIn(a)
    const request = () =>
      new Request('https://app.example.com/', { headers: { cookie: visitor.cookieHeader() } })
    expect((await a.accounts.getAccessToken(request(), 'op')).accountId).toBe('7')
    const before = b.provider.requests.length
    const asked = b.accounts.getAccessToken(request(), 'op', { minValiditySeconds: 80_000 })
    await expect(asked).rejects.toMatchObject({ code: 'no_account' })
    expect(b.provider.requests.length).toBe(before)
  })
})

/** Where a sign-in ends. */
async function redirectOf(
  { handle, provider }: Awaited<ReturnType<typeof createTenant>>,
  visitor: Visitor = new Visitor(handle),
): Promise<string> {
  const started = await visitor.post('/signin/op')
  const back = await visitor.send(provider.authorize(started.headers.get('location') ?? '').href)
  return back.headers.get('location') ?? ''
}
