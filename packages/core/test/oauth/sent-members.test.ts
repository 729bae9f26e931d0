import type { AuthConfig } from '@siteauth/core'
import type { Adapter, AdapterAccount } from '@siteauth/core/adapters'
import type { OAuth2Config, OIDCConfig } from '@siteauth/core/providers'
import type { Account, Profile, TokenSet, User } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type FakeServer } from './fake-server.ts'

/** Members of our own records, as a provider might send them. */
const OURS = {
  id: 'victim',
  userId: 'victim',
  user: { connect: { id: 'victim' } },
  provider: 'google',
  providerAccountId: 'victim',
  type: 'credentials',
  name: 'Victim',
  email: 'victim@example.test',
  emailVerified: '2026-01-01T00:00:00Z',
  image: 'https://evil.test/',
  accounts: { create: {} },
  sessions: { create: {} },
  authenticators: { create: {} },
  sessionToken: 'known',
  expires: '2099-01-01T00:00:00Z',
  sub: 'victim',
  constructor: 'x',
  prototype: 'x',
}
const NAMES = [...Object.keys(OURS), '__proto__']
/** As it comes out of JSON, where `__proto__` is a member like any other. */
const SENT: Record<string, unknown> = JSON.parse(
  JSON.stringify(OURS).replace('{', '{"__proto__":{"isAdmin":true},'),
)

/** A store that keeps whatever it is given. */
function openStore() {
  const memory = memoryAdapter([])
  const created: unknown[] = []
  const accounts: AdapterAccount[] = []
  const updates: Partial<AdapterAccount>[] = []
  const adapter: Adapter = {
    ...memory.adapter,
    async createUser(user) {
      created.push(user)
      return (await memory.adapter.createUser?.(user)) ?? user
    },
    async getUserByAccount({ providerAccountId }) {
      const found = accounts.find(each => each.providerAccountId === providerAccountId)
      return found ? (memory.users.get(found.userId) ?? null) : null
    },
    async linkAccount(account) {
      accounts.push(account)
      return account
    },
    async updateAccount(account) {
      updates.push(account)
      return null
    },
  }
  return { adapter, created, accounts, updates }
}

const NOW = Date.UTC(2026, 0, 1)

async function setUp(
  type: 'oauth' | 'oidc',
  over: Partial<OAuth2Config<Profile>> = {},
  config: Partial<AuthConfig> = {},
) {
  const server = await createFakeServer({ now: () => NOW })
  const seen: { account?: Account; user?: User; profile?: Profile } = {}
  const provider = {
    id: 'op',
    name: 'OP',
    type,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    issuer: server.issuer,
    ...over,
  } as OAuth2Config<Profile> | OIDCConfig<Profile> // by `type`
  const auth = createTestAuth({
    providers: [provider],
    ports: { fetch: server.fetch, now: () => NOW },
    callbacks: {
      signIn({ account, user, profile }) {
        if (account && profile) Object.assign(seen, { account, user, profile })
        return true
      },
    },
    ...config,
  })
  const signIn = () => signInAt(server, new Visitor(auth.handle))
  return { server, seen, signIn }
}

async function signInAt(server: FakeServer, visitor: Visitor) {
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  const finished = await visitor.send(`/callback/op?${server.authorize(url)}`)
  expect(finished.headers.get('location')).not.toContain('error')
}

/** Which of our names an object has with a value that the provider sent. */
function taken(object: object | undefined): string[] {
  const own: Record<string, unknown> = { ...object }
  return NAMES.filter(
    name => Object.hasOwn(own, name) && JSON.stringify(own[name]) === JSON.stringify(SENT[name]),
  )
}

// Copied, as a mapping does that validates the profile first.
const everything = (profile: Profile): User => ({ ...structuredClone(profile), id: 'ada' }) as User

describe.each(['oauth', 'oidc'] as const)('what a token endpoint sends, %s', type => {
  it('does not become a member of the account that has a meaning here', async () => {
    const { server, seen, signIn } = await setUp(type)
    server.faults.tokens = tokens => ({ ...SENT, ...tokens })
    await signIn()
    expect(taken(seen.account)).toEqual([])
    expect(seen.account).toMatchObject({ provider: 'op', type, providerAccountId: 'ada' })
    expect(seen.account).not.toHaveProperty('userId', 'victim')
  })

  it('is there for the account otherwise', async () => {
    const { server, seen, signIn } = await setUp(type)
    server.faults.tokens = tokens => ({ ...tokens, team: { id: 'T1' }, user_id: 7 })
    await signIn()
    expect(seen.account).toMatchObject({ access_token: 'at-ada', team: { id: 'T1' }, user_id: 7 })
  })

  it('is there for profile() as it came', async () => {
    let tokens: TokenSet = {}
    const profile = (raw: Profile, given: TokenSet): User => {
      tokens = given
      return everything(raw)
    }
    const { server, signIn } = await setUp(type, { profile })
    server.faults.tokens = sent => ({ ...sent, id: 'https://op.test/id/7', user: { id: 'U1' } })
    await signIn()
    expect(tokens).toMatchObject({ id: 'https://op.test/id/7', user: { id: 'U1' } })
  })

  it('does not say when the token expires: how long it lasts does', async () => {
    const { server, seen, signIn } = await setUp(type)
    server.faults.tokens = tokens => ({ ...tokens, expires_at: 99, expires_in: 60 })
    await signIn()
    expect(seen.account?.expires_at).toBe(NOW / 1000 + 60)
    server.faults.tokens = ({ expires_in: _, ...tokens }) => ({ ...tokens, expires_at: 99 })
    await signIn()
    expect(seen.account).not.toHaveProperty('expires_at')
  })

  it('is not stored under our names, even if account() keeps all of it', async () => {
    const store = openStore()
    const account = (tokens: TokenSet) => ({ ...tokens, ...SENT })
    const { server, signIn } = await setUp(type, { account }, { adapter: store.adapter })
    server.faults.tokens = tokens => ({ ...SENT, ...tokens, company: 'acme' })
    await signIn()
    await signIn()
    expect(store.accounts).toMatchObject([{ provider: 'op', company: 'acme' }])
    expect(store.updates).toMatchObject([{ provider: 'op', company: 'acme' }])
    expect([...store.accounts, ...store.updates].flatMap(taken)).toEqual([])
  })
})

describe('an answer of token.request', () => {
  it('does not become a member of the account that has a meaning here', async () => {
    const request = () => ({
      tokens: { ...SENT, access_token: 'at-ada', expires_at: 99 } as TokenSet,
    })
    const { seen, signIn } = await setUp('oauth', {
      token: { request },
      userinfo: 'https://op.test/userinfo',
    })
    await signIn()
    expect(taken(seen.account)).toEqual([])
    expect(seen.account).not.toHaveProperty('expires_at')
  })
})

describe('what a profile says', () => {
  // These are what a mapping is for.
  const MAPPED = ['name', 'email', 'image']

  it.each(['oauth', 'oidc'] as const)(
    'does not become a member of the user that has a meaning here, %s',
    async type => {
      const store = openStore()
      const { server, seen, signIn } = await setUp(
        type,
        { profile: everything },
        { adapter: store.adapter },
      )
      const sent = (own: Record<string, unknown>) => ({ ...SENT, ...own, role: 'reader' })
      server.faults.profile = sent
      server.faults.claims = sent
      await signIn()
      for (const user of [seen.user, ...store.created] as object[]) {
        expect(taken(user).filter(name => !MAPPED.includes(name))).toEqual([])
        expect(user).toMatchObject({ role: 'reader' })
        expect(user).not.toHaveProperty('sub')
      }
      expect(store.created).toMatchObject([{ emailVerified: null }])
    },
  )

  it('never verifies an address, even where profile() says so', async () => {
    const profile = () => ({ id: 'ada', emailVerified: new Date() }) as User
    const { seen, signIn } = await setUp('oidc', { profile })
    await signIn()
    expect(seen.user).not.toHaveProperty('emailVerified')
  })

  it('leaves room for what the application adds to a user', async () => {
    const own = { role: 'admin', type: 'staff', provider: 'our own word', accounts: ['a'] }
    const profile = () => ({ id: 'ada', ...own }) as User
    const { seen, signIn } = await setUp('oidc', { profile })
    await signIn()
    expect(seen.user).toMatchObject(own)
  })

  it('is there for callbacks as it came', async () => {
    const { server, seen, signIn } = await setUp('oidc', { profile: everything })
    server.faults.claims = claims => ({ ...claims, emailVerified: 'x', type: 'User' })
    await signIn()
    expect(seen.profile).toMatchObject({ sub: 'ada', emailVerified: 'x', type: 'User' })
  })
})
