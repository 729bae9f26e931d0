import type { AuthConfig } from '@siteauth/core'
import type {
  Adapter,
  AdapterAccount,
  AdapterUser,
  VerificationToken,
} from '@siteauth/core/adapters'
import { beforeEach, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type FakeServer } from './fake-server.ts'

const HOUR = 3_600_000
const HOME = 'https://app.example.com'
const REFUSED = `${HOME}/auth/signin?error=OAuthAccountNotLinked`
const ADA = { name: 'Ada Lovelace', email: 'ada@example.test', image: 'https://op.test/ada.png' }

let now = Date.now()
beforeEach(() => {
  now = Date.now()
})

/** A store as published ones are: what a sign-up needs is several calls, and any of them may fail. */
function createStore() {
  const { adapter: base, users } = memoryAdapter([])
  const accounts: AdapterAccount[] = []
  const tokens = new Map<string, VerificationToken>()
  const failing = new Set<keyof Adapter>()
  const keyOf = ({ identifier, token }: Pick<VerificationToken, 'identifier' | 'token'>) =>
    `${identifier} ${token}`
  const adapter: Adapter = {
    ...base,
    async createUser(user) {
      if (failing.has('createUser')) throw new Error('the process ends here')
      const stored = { ...user, id: String(users.size + 1) }
      users.set(stored.id, stored)
      return stored
    },
    getUserByEmail: async email => [...users.values()].find(each => each.email === email) ?? null,
    async getUserByAccount({ provider, providerAccountId }) {
      const found = accounts.find(
        each => each.provider === provider && each.providerAccountId === providerAccountId,
      )
      return found ? (users.get(found.userId) ?? null) : null
    },
    async linkAccount(account) {
      if (failing.has('linkAccount')) throw new Error('the process ends here')
      accounts.push(account)
      return account
    },
    async createVerificationToken(token) {
      if (failing.has('createVerificationToken')) throw new Error('no such table')
      if (tokens.has(keyOf(token))) throw new Error('there is one already')
      tokens.set(keyOf(token), token)
      return token
    },
    async useVerificationToken(key) {
      if (failing.has('useVerificationToken')) throw new Error('no such table')
      const token = tokens.get(keyOf(key)) ?? null
      tokens.delete(keyOf(key))
      return token
    },
  }
  return { adapter, users, accounts, tokens, failing }
}

async function setUp(config: Partial<AuthConfig> = {}) {
  const server = await createFakeServer({ now: () => now })
  const store = createStore()
  const told: string[] = []
  const options: Partial<AuthConfig> = {
    adapter: store.adapter,
    providers: [
      ...['op', 'other'].map(id => ({
        id,
        name: id,
        type: 'oidc' as const,
        issuer: server.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
      })),
      { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} },
    ],
    ports: { fetch: server.fetch, now: () => now },
    events: {
      createUser: () => void told.push('createUser'),
      linkAccount: () => void told.push('linkAccount'),
      signIn: ({ isNewUser }) => void told.push(`signIn ${isNewUser ? 'new' : 'known'}`),
    },
    ...config,
  }
  const auth = createTestAuth(options)
  return { server, store, told, auth, options }
}

async function signIn(
  server: FakeServer,
  { handle }: { handle: (request: Request) => Promise<Response> },
  id = 'op',
): Promise<string | null> {
  const visitor = new Visitor(handle)
  const started = await visitor.post(`/signin/${id}`)
  const url = new URL(started.headers.get('location') ?? '')
  const finished = await visitor.send(`/callback/${id}?${server.authorize(url)}`)
  return finished.headers.get('location')
}

/** Ada signs up, and all ends before that method of the store is done. */
async function interrupt(
  { server, store, auth }: Awaited<ReturnType<typeof setUp>>,
  method: 'createUser' | 'linkAccount',
) {
  store.failing.add(method)
  expect(await signIn(server, auth)).toContain('error=')
  store.failing.delete(method)
}

/** The application itself makes a user, as one with a form for that does. */
function register(users: Map<string, AdapterUser>, user: Partial<AdapterUser> = {}) {
  const stored = { ...ADA, id: 'registered', emailVerified: null, ...user }
  users.set(stored.id, stored)
}

describe('a sign-up that ended between user and account', () => {
  it('is resumed when the same person comes once more', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    const { server, store, told, auth } = given
    expect(await signIn(server, auth)).toBe(HOME)
    expect(store.users.size).toBe(1)
    expect(store.accounts).toMatchObject([{ userId: '1', providerAccountId: 'ada' }])
    expect(told).toEqual(['createUser', 'linkAccount', 'signIn new'])
    expect(await signIn(server, auth)).toBe(HOME)
    expect(told.at(-1)).toBe('signIn known')
  })

  it('is resumed also when the secret was renewed meanwhile', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    const renewed = createTestAuth({
      ...given.options,
      secret: ['another secret, which is as long', SECRET],
    })
    expect(await signIn(given.server, renewed)).toBe(HOME)
  })

  it('begins anew where it had not come to the user', async () => {
    const given = await setUp()
    await interrupt(given, 'createUser')
    expect(await signIn(given.server, given.auth)).toBe(HOME)
    expect(given.store.users.size).toBe(1)
  })

  it('is resumed within a day and no later', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    now += 24 * HOUR
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
  })

  it('leaves nothing behind once it is complete', async () => {
    const given = await setUp()
    await signIn(given.server, given.auth)
    expect([...given.store.tokens]).toEqual([])
    expect(given.told).toEqual(['createUser', 'linkAccount', 'signIn new'])
  })

  it.each(['createVerificationToken', 'useVerificationToken'] as const)(
    'is a sign-up like any other where %s fails, as without a table for tokens',
    async method => {
      const { server, store, auth } = await setUp()
      store.failing.add(method)
      expect(await signIn(server, auth)).toBe(HOME)
      expect(store.accounts).toHaveLength(1)
    },
  )
})

describe('nobody else gets into the user that an interrupted sign-up has left', () => {
  it('not another account of the provider, with the same address, name and picture', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    given.server.faults.claims = claims => ({ ...claims, sub: 'mallory' })
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
    expect(given.store.accounts).toEqual([])
  })

  it('not whoever proves the address either: they get a user of their own', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    given.server.faults.claims = claims => ({ ...claims, sub: 'another', email_verified: true })
    expect(await signIn(given.server, given.auth)).toBe(HOME)
    expect(given.store.accounts).toMatchObject([{ userId: '2' }])
    expect(given.store.users.get('1')?.email).toBeNull()
  })

  it('not an account of another provider under the same id', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    expect(await signIn(given.server, given.auth, 'other')).toBe(REFUSED)
  })

  it('not by a marker that is sent like the token of a link in an email', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    const [marker] = [...given.store.tokens.values()]
    const visitor = new Visitor(given.auth.handle)
    const answer = await visitor.post('/callback/mail', {
      email: String(marker?.identifier),
      token: String(marker?.token),
    })
    expect(answer.headers.get('location')).toContain('error=Verification')
    expect(await visitor.session()).toBeNull()
    expect(given.store.tokens.size).toBe(1)
  })
})

describe('an interrupted sign-up gets nobody into the user of another', () => {
  it('not into one whom the application has made since, for the same address', async () => {
    const given = await setUp()
    await interrupt(given, 'createUser')
    register(given.store.users, { name: 'Ada', image: null })
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
    expect(given.store.accounts).toEqual([])
  })

  it('not into one who even has the same name, where nobody vouches for the address', async () => {
    const given = await setUp()
    given.server.faults.claims = claims => ({ ...claims, picture: undefined })
    await interrupt(given, 'createUser')
    register(given.store.users, { image: null })
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
  })

  it('not into one who has shown by email that the address is theirs', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    const [user] = [...given.store.users.values()]
    if (user) given.store.users.set(user.id, { ...user, emailVerified: new Date(now) })
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
  })

  it('not back into one that the account was complete with, and was taken off', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    expect(await signIn(given.server, given.auth)).toBe(HOME)
    given.store.accounts.length = 0
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
  })

  it('not into one that was never begun', async () => {
    const given = await setUp()
    register(given.store.users)
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
  })

  it('not into another row that has taken the address, name and picture since', async () => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    given.store.users.clear()
    register(given.store.users)
    expect(await signIn(given.server, given.auth)).toBe(REFUSED)
    expect(given.store.accounts).toEqual([])
  })

  it.each(['name', 'picture'])('and does not mind that its %s has changed since', async member => {
    const given = await setUp()
    await interrupt(given, 'linkAccount')
    const [user] = [...given.store.users.values()]
    const changed = member === 'name' ? { name: 'Countess' } : { image: 'https://op.test/new.png' }
    if (user) given.store.users.set(user.id, { ...user, ...changed })
    expect(await signIn(given.server, given.auth)).toBe(HOME)
    expect(given.store.accounts).toMatchObject([{ userId: user?.id }])
  })
})
