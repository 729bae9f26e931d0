import { type AuthConfig, createAuth } from '@siteauth/core'
import { signInAs } from '@siteauth/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'

// Other files, which come next, have the same environment.
afterEach(() => void vi.unstubAllEnvs())

const HOME = 'http://localhost:3000/'
const ADA = { id: '1', name: 'Ada', email: 'ada@example.com' }

/** An application, and what its own instance says of whoever the kit has signed in. */
function application(more: Partial<AuthConfig> = {}) {
  const config: AuthConfig = {
    secret: 'a test secret that is long enough!',
    trustHost: true,
    providers: [],
    logger: { error() {}, warn() {}, debug() {} },
    ...more,
  }
  return { config, auth: createAuth(config, { env: { NODE_ENV: 'test' } }) }
}

const reverse = (text: string) => [...text].reverse().join('')

describe('somebody whom the kit signed in', () => {
  it.each<[string, Partial<AuthConfig>, string?]>([
    ['in a cookie', {}],
    ['in a cookie over HTTPS', {}, 'https://app.example.com/'],
    ['in a database', { adapter: MemoryAdapter() }],
    ['in a database by hashes', { adapter: MemoryAdapter(), session: { hashTokens: true } }],
    ['in a cookie beside a store', { adapter: MemoryAdapter(), session: { strategy: 'jwt' } }],
    ['under a name of its own', { cookies: { sessionToken: { name: 'who' } } }],
    ['under secure names', { useSecureCookies: true }],
    ['with several secrets', { secret: ['the newest of all the secrets!!!', 'an older one'] }],
    ['of one audience', { session: { audience: 'acme' } }],
    ['at another base path', { basePath: '/here/auth' }],
    [
      'sealed in a way of its own',
      {
        jwt: {
          encode: ({ token }) => reverse(encodeURIComponent(JSON.stringify(token))),
          decode: ({ token }) => JSON.parse(decodeURIComponent(reverse(token ?? ''))),
        },
      },
    ],
    [
      'with a large token',
      { callbacks: { jwt: ({ token }) => ({ ...token, large: 'x'.repeat(9000) }) } },
    ],
  ])('is known to the application: %s', async (_, more, url = HOME) => {
    const { config, auth } = application(more)
    const { headers } = await signInAs(config, ADA, { url, env: { NODE_ENV: 'test' } })
    const session = await auth.getSession({ headers, url })
    expect(session?.user).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
  })

  it('is nobody to an application with another secret', async () => {
    const { headers } = await signInAs(application().config, ADA, { env: { NODE_ENV: 'test' } })
    const { auth } = application({ secret: 'another secret, of the same length' })
    expect(await auth.getSession({ headers, url: HOME })).toBeNull()
  })

  it('is whoever the environment of the application says', async () => {
    const env = {
      AUTH_SECRET: 'a secret from the file of variables',
      AUTH_URL: 'https://a.test/auth',
    }
    const auth = createAuth({ providers: [] }, { env })
    const { headers, cookies } = await signInAs({}, ADA, { env })
    expect(await auth.getSession({ headers, url: 'https://a.test/' })).not.toBeNull()
    expect(cookies).toMatchObject([{ name: '__Secure-authjs.session-token', domain: 'a.test' }])
  })

  it.each<[string, Partial<AuthConfig>]>([
    ['a cookie', { adapter: MemoryAdapter(), session: { strategy: 'jwt' } }],
    ['a database', { adapter: MemoryAdapter() }],
  ])('can be signed out everywhere, in %s', async (_, more) => {
    const { config, auth } = application(more)
    const { headers } = await signInAs(config, ADA, { env: { NODE_ENV: 'test' } })
    const stored = await config.adapter?.getUserByEmail?.(ADA.email)
    await auth.users.endSessions(stored?.id ?? '')
    expect(await auth.getSession({ headers, url: HOME })).toBeNull()
  })

  it('has a session that is listed and can be ended by its handle', async () => {
    const { config, auth } = application({
      adapter: MemoryAdapter(),
      session: { strategy: 'jwt', track: true },
    })
    const desk = {
      headers: (await signInAs(config, ADA, { env: { NODE_ENV: 'test' } })).headers,
      url: HOME,
    }
    const phone = {
      headers: (await signInAs(config, ADA, { env: { NODE_ENV: 'test' } })).headers,
      url: HOME,
    }
    const other = (await auth.sessions.list(desk)).find(({ isCurrent }) => !isCurrent)
    await auth.sessions.end(desk, other?.handle ?? '')
    expect(await auth.getSession(phone)).toBeNull()
    expect(await auth.getSession(desk)).not.toBeNull()
  })

  it('is the user who has that address already', async () => {
    const adapter = MemoryAdapter()
    const stored = await adapter.createUser?.({ ...ADA, id: 'stored', emailVerified: null })
    const { config, auth } = application({ adapter, session: { expose: ['id'] } })
    const { headers } = await signInAs(config, { email: ADA.email }, { env: { NODE_ENV: 'test' } })
    const session = await auth.getSession({ headers, url: HOME })
    expect(session?.user).toMatchObject({ id: stored?.id, name: 'Ada' })
  })

  it('is stored once, however many tests begin at a time', async () => {
    const { config, auth } = application({ adapter: MemoryAdapter(), session: { expose: ['id'] } })
    const both = await Promise.all(
      [1, 2].map(() => signInAs(config, ADA, { env: { NODE_ENV: 'test' } })),
    )
    const seen = both.map(({ headers }) => auth.getSession({ headers, url: HOME }))
    const [one, other] = await Promise.all(seen)
    expect(one?.user).toEqual(other?.user)
  })

  it('has been signed in since the time that was said', async () => {
    const { config, auth } = application()
    const at = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
    const { headers } = await signInAs(config, ADA, { at, env: { NODE_ENV: 'test' } })
    expect(await auth.getSession({ headers, url: HOME })).toBeNull()
  })
})

describe('what the application is told', () => {
  it('gives the account and the profile to the jwt callback', async () => {
    const { config, auth } = application({
      callbacks: {
        jwt: ({ token, account, profile }) =>
          account ? { ...token, name: `${account.provider} ${profile?.locale}` } : token,
      },
    })
    const account = { provider: 'github', providerAccountId: '7', type: 'oauth' } as const
    const options = { account, profile: { locale: 'de' }, env: { NODE_ENV: 'test' } }
    const { headers } = await signInAs(config, ADA, options)
    const session = await auth.getSession({ headers, url: HOME })
    expect(session?.user?.name).toBe('github de')
  })

  it('asks nobody whether this person may sign in, and tells of no sign-in', async () => {
    const signIn = vi.fn(() => false)
    const event = vi.fn()
    const { config } = application({ callbacks: { signIn }, events: { signIn: event } })
    await signInAs(config, ADA, { env: { NODE_ENV: 'test' } })
    expect(signIn).not.toHaveBeenCalled()
    expect(event).not.toHaveBeenCalled()
  })

  it('says that the jwt callback wants no session', async () => {
    const { config } = application({ callbacks: { jwt: () => null } })
    await expect(signInAs(config, ADA, { env: { NODE_ENV: 'test' } })).rejects.toThrow(
      'jwt callback',
    )
  })

  it('says that there is no secret', async () => {
    await expect(signInAs({}, ADA, { env: { NODE_ENV: 'test' } })).rejects.toThrow('AUTH_SECRET')
  })
})

describe('the cookies', () => {
  it('have the attributes that the application gives them', async () => {
    const { config } = application({
      cookies: {
        sessionToken: {
          options: { domain: 'example.com', sameSite: 'none', secure: true, path: '/App' },
        },
      },
    })
    const url = 'https://app.example.com'
    const at = new Date('2030-01-01T00:00:00Z')
    const { cookies } = await signInAs(config, ADA, { url, at, env: { NODE_ENV: 'test' } })
    expect(cookies).toEqual([
      {
        name: '__Secure-authjs.session-token',
        value: expect.any(String),
        domain: '.example.com',
        path: '/App',
        expires: Date.parse('2030-01-31T00:00:00Z') / 1000,
        httpOnly: true,
        secure: true,
        sameSite: 'None',
      },
    ])
  })

  it('go with the browser where the session is not to be remembered', async () => {
    const { cookies } = await signInAs(application().config, ADA, {
      remember: false,
      env: { NODE_ENV: 'test' },
    })
    expect(cookies[0]?.expires).toBe(-1)
  })
})

describe('in production', () => {
  it('nobody is signed in', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    await expect(signInAs(application().config, ADA)).rejects.toThrow('NODE_ENV')
  })

  it('somebody is, where that is meant', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const signedIn = signInAs(application().config, ADA, { allowInProduction: true })
    expect((await signedIn).cookies).toHaveLength(1)
  })
})
