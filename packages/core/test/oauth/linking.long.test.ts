import type { AuthConfig } from '@siteauth/core'
import type { Adapter, AdapterAccount, AdapterUser } from '@siteauth/core/adapters'
import { encode } from '@siteauth/core/jwt'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type FakeServer } from './fake-server.ts'

/** A store whose accounts count, and which tells what it was asked. */
function accountStore(people: readonly Omit<AdapterUser, 'emailVerified'>[] = []) {
  const memory = memoryAdapter(people)
  const accounts: AdapterAccount[] = []
  const adapter: Adapter = {
    ...memory.adapter,
    async getUserByAccount({ provider, providerAccountId }) {
      memory.calls.push('getUserByAccount')
      const found = accounts.find(
        each => each.provider === provider && each.providerAccountId === providerAccountId,
      )
      return found ? (memory.users.get(found.userId) ?? null) : null
    },
    async linkAccount(account) {
      memory.calls.push('linkAccount')
      accounts.push(account)
      return account
    },
  }
  return { ...memory, adapter, accounts }
}

/** The tests below make sessions that no browser was given. */
const UNBOUND = { sessionToken: { options: { domain: 'example.com' } } }

async function setUp(
  strategy: 'jwt' | 'database',
  people?: Parameters<typeof accountStore>[0],
  { linkByEmail = false, ...config }: Partial<AuthConfig> & { linkByEmail?: boolean } = {},
) {
  const server = await createFakeServer()
  const store = accountStore(people)
  const told: string[] = []
  const auth = createTestAuth({
    adapter: store.adapter,
    session: { strategy },
    cookies: UNBOUND,
    providers: [
      {
        id: 'op',
        name: 'Provider',
        type: 'oidc',
        issuer: server.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        allowDangerousEmailAccountLinking: linkByEmail,
      },
    ],
    ports: { fetch: server.fetch },
    events: {
      createUser: () => void told.push('createUser'),
      linkAccount: () => void told.push('linkAccount'),
      signIn: ({ isNewUser }) => void told.push(`signIn ${isNewUser ? 'new' : 'known'}`),
    },
    ...config,
  })
  return { server, store, auth, told, visitor: new Visitor(auth.handle) }
}

async function signIn(server: FakeServer, visitor: Visitor): Promise<string | null> {
  const started = await visitor.post('/signin/op')
  const url = new URL(started.headers.get('location') ?? '')
  const finished = await visitor.send(`/callback/op?${server.authorize(url)}`)
  return finished.headers.get('location')
}

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.test' }

describe('session.generateSessionToken', () => {
  it('is asked once per sign-in, of somebody new as of somebody known', async () => {
    let made = 0
    const generateSessionToken = () => `token-${++made}`
    const { server, auth, store } = await setUp('database', [], {
      session: { strategy: 'database', generateSessionToken },
    })
    for (let time = 0; time < 3; time++) await signIn(server, new Visitor(auth.handle))
    expect(made).toBe(3)
    expect([...store.sessions.keys()]).toEqual(['token-1', 'token-2', 'token-3'])
  })
})

describe.each(['jwt', 'database'] as const)('accounts in a store, %s sessions', strategy => {
  it('creates user and account for somebody new, and tells of each once and in order', async () => {
    const { server, store, told, visitor } = await setUp(strategy)
    await signIn(server, visitor)
    expect(store.users.size).toBe(1)
    expect(store.accounts).toHaveLength(1)
    expect(told).toEqual(['createUser', 'linkAccount', 'signIn new'])
    expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.test' } })
  })

  it('stores the known members of the tokens and nothing else', async () => {
    const { server, store, visitor } = await setUp(strategy)
    server.faults.tokens = tokens => ({ ...tokens, secret_of_the_provider: 'x' })
    await signIn(server, visitor)
    expect(Object.keys(store.accounts[0] ?? {})).toEqual(
      expect.arrayContaining(['access_token', 'id_token', 'provider', 'userId']),
    )
    expect(store.accounts[0]).not.toHaveProperty('secret_of_the_provider')
    expect(store.accounts[0]).not.toHaveProperty('expires_in')
  })

  it('finds the user again at the next sign-in', async () => {
    const { server, store, told, auth } = await setUp(strategy)
    await signIn(server, new Visitor(auth.handle))
    await signIn(server, new Visitor(auth.handle))
    expect(store.users.size).toBe(1)
    expect(told.at(-1)).toBe('signIn known')
  })

  it('asks for the account before the session starts and afterwards, once each', async () => {
    const { server, store, visitor } = await setUp(strategy)
    await signIn(server, visitor)
    expect(store.calls.filter(name => name === 'getUserByAccount')).toHaveLength(2)
    expect(store.calls.at(-1)).toBe('getUserByAccount')
  })

  it('refuses an account with the address of a user, and signs nobody in', async () => {
    const { server, store, visitor } = await setUp(strategy, [ada])
    expect(await signIn(server, visitor)).toBe(
      'https://app.example.com/auth/signin?error=OAuthAccountNotLinked',
    )
    expect(store.accounts).toEqual([])
    expect(await visitor.session()).toBeNull()
  })

  it('links by the address where the application allows it, without creating anybody', async () => {
    const { server, store, told, visitor } = await setUp(strategy, [ada], { linkByEmail: true })
    store.users.set('u1', { ...ada, emailVerified: new Date() })
    server.faults.claims = claims => ({ ...claims, email_verified: true })
    await signIn(server, visitor)
    expect(store.accounts).toMatchObject([{ userId: 'u1' }])
    expect(told).toEqual(['linkAccount', 'signIn known'])
  })

  it.each([undefined, false, 'false', 0, 1, null])(
    'never links by an address of which the provider says email_verified: %j',
    async email_verified => {
      const { server, store, visitor } = await setUp(strategy, [ada], { linkByEmail: true })
      server.faults.claims = claims => ({ ...claims, email_verified })
      expect(await signIn(server, visitor)).toContain('error=OAuthAccountNotLinked')
      expect(store.accounts).toEqual([])
    },
  )

  it('adds the account to whoever is signed in', async () => {
    const { server, store, auth } = await setUp(strategy, [
      { id: 'u2', name: 'Bob', email: 'bob@example.test' },
    ])
    const visitor = await signedInAs(auth.handle, store, strategy, 'u2')
    await signIn(server, visitor)
    expect(store.accounts).toMatchObject([{ userId: 'u2' }])
    expect(store.users.size).toBe(1)
  })

  it('refuses an account of one user while another is signed in', async () => {
    const { server, store, auth } = await setUp(strategy, [
      { id: 'u2', name: 'Bob', email: 'bob@example.test' },
    ])
    await signIn(server, new Visitor(auth.handle))
    const visitor = await signedInAs(auth.handle, store, strategy, 'u2')
    expect(await signIn(server, visitor)).toContain('error=OAuthAccountNotLinked')
  })

  it('adds no account to a user whose session has run out', async () => {
    const { server, store, auth } = await setUp(strategy, [
      { id: 'u2', name: 'Bob', email: 'bob@example.test' },
    ])
    const visitor = await signedInAs(auth.handle, store, strategy, 'u2', -3600)
    await signIn(server, visitor)
    expect(store.accounts.some(({ userId }) => userId === 'u2')).toBe(false)
  })

  it('shows the page for new users once', async () => {
    const { server, auth } = await setUp(strategy, [], { pages: { newUser: '/welcome' } })
    expect(await signIn(server, new Visitor(auth.handle))).toContain('/welcome?callbackUrl=')
    expect(await signIn(server, new Visitor(auth.handle))).toBe('https://app.example.com')
  })
})

async function signedInAs(
  handle: (request: Request) => Promise<Response>,
  store: ReturnType<typeof accountStore>,
  strategy: 'jwt' | 'database',
  id: string,
  seconds = 3600,
): Promise<Visitor> {
  const visitor = new Visitor(handle)
  const name = '__Secure-authjs.session-token'
  if (strategy === 'database') {
    const expires = new Date(Date.now() + seconds * 1000)
    store.sessions.set('row', { sessionToken: 'row', userId: id, expires })
    visitor.cookies.set(name, 'row')
  } else {
    const token = await encode({ token: { sub: id }, secret: SECRET, salt: name, maxAge: seconds })
    visitor.cookies.set(name, token)
  }
  return visitor
}
