import type { AuthConfig } from '@siteauth/core'
import type { Adapter, VerificationToken } from '@siteauth/core/adapters'
import { getToken } from '@siteauth/core/jwt'
import type { EmailConfig, OAuth2Config } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import type { Profile } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'

const SESSION_COOKIE = '__Secure-authjs.session-token'
const ANN = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
const password = Credentials({ credentials: {}, authorize: () => ANN })

/** A tenant among others with the same secret. */
function tenant(audience: string | undefined, config: Partial<AuthConfig> = {}) {
  const { session, ...others } = config
  const auth = createTestAuth({
    providers: [password],
    ...others,
    session: { ...session, ...(audience !== undefined && { audience }) },
  })
  return { auth, visitor: () => new Visitor(auth.handle) }
}

async function signedIn(visitor: Visitor): Promise<Visitor> {
  await visitor.post('/callback/credentials')
  expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  return visitor
}

/** The same browser at another tenant. */
function moved(from: Visitor, to: Visitor): Visitor {
  for (const [name, value] of from.cookies) to.cookies.set(name, value)
  return to
}

describe.each(['jwt', 'database'] as const)('a session of one tenant, %s', strategy => {
  function tenants() {
    const { adapter } = memoryAdapter([ANN])
    const config = { adapter, session: { strategy } } as const
    return {
      a: tenant('tenant-a', config),
      b: tenant('tenant-b', config),
      none: tenant(undefined, config),
    }
  }

  it('is none of another with the same secret and the same database', async () => {
    const { a, b, none } = tenants()
    const visitor = await signedIn(a.visitor())
    expect(await moved(visitor, b.visitor()).session()).toBeNull()
    expect(await moved(visitor, none.visitor()).session()).toBeNull()
    expect(await moved(visitor, a.visitor()).session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('that was made without an audience is none of a tenant', async () => {
    const { a, none } = tenants()
    const visitor = await signedIn(none.visitor())
    expect(await moved(visitor, a.visitor()).session()).toBeNull()
  })

  it('cannot be ended, nor changed, by another', async () => {
    const { a, b } = tenants()
    const visitor = await signedIn(a.visitor())
    const stranger = b.visitor()
    stranger.cookies.set(SESSION_COOKIE, visitor.cookies.get(SESSION_COOKIE) ?? '')
    expect(await (await stranger.postJson('/session', { data: {} })).json()).toBeNull()
    await stranger.post('/signout')
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('can be renewed, updated and ended by its own', async () => {
    const { adapter, sessions } = memoryAdapter([ANN])
    let now = Date.UTC(2026, 10, 16)
    const visitor = await signedIn(
      tenant('tenant-a', {
        adapter,
        session: { strategy, maxAge: 3600, updateAge: 60 },
        ports: { now: () => now },
      }).visitor(),
    )
    now += 600_000
    const renewed = await visitor.get('/session')
    expect(renewed.headers.getSetCookie()).toHaveLength(1)
    expect(await (await visitor.postJson('/session', { data: {} })).json()).toMatchObject({
      user: { name: 'Ann' },
    })
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    await visitor.post('/signout')
    expect(await visitor.session()).toBeNull()
    expect(sessions.size).toBe(0)
  })
})

describe('what else one tenant made', () => {
  it('is no CSRF token of another', async () => {
    const visitor = tenant('tenant-a').visitor()
    const csrfToken = await visitor.csrfToken()
    const other = moved(visitor, tenant('tenant-b').visitor())
    const answer = await other.send('/callback/credentials', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken }),
    })
    expect(answer.headers.get('location')).toContain('error=MissingCSRF')
    expect(await other.session()).toBeNull()
  })

  it.each([undefined, 'a secret of the provider alone, long'])(
    'is no link by email of another, with the provider’s secret %j',
    async secret => {
      const sent: string[] = []
      const mail: EmailConfig = {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        ...(secret && { secret }),
        sendVerificationRequest: ({ url }) => void sent.push(url),
      }
      const config = { adapter: withTokens(), providers: [mail] }
      const [a, b] = [tenant('tenant-a', config), tenant('tenant-b', config)]
      const visitor = a.visitor()
      await visitor.post('/signin/mail', { email: 'ann@example.com' })
      const link = new URL(sent[0] ?? '')
      const refused = await moved(visitor, b.visitor()).openLink(link)
      expect(refused.headers.get('location')).toContain('error=Verification')
      const taken = await visitor.openLink(link)
      expect(taken.headers.get('location')).toBe('https://app.example.com')
    },
  )

  it('is no attempt of another, whose server has the same id', async () => {
    const [one, other] = [plainServer('https://one.test'), plainServer('https://other.test')]
    const at = (server: typeof one, audience?: string) =>
      tenant(audience, { providers: [server.provider], ports: { fetch: server.fetch } }).visitor()
    for (const [from, to] of [
      [at(one), at(other)],
      [at(one, 'tenant-a'), at(one, 'tenant-b')],
    ] as const) {
      const started = await from.post('/signin/oa')
      const url = new URL(started.headers.get('location') ?? '')
      const answer = new URLSearchParams({
        code: 'code',
        state: url.searchParams.get('state') ?? '',
      })
      const refused = await moved(from, to).get(`/callback/oa?${answer}`)
      expect(refused.headers.get('location')).toContain('error=InvalidCheck')
    }
  })

  it('is passed on by a redirect proxy that serves them all', async () => {
    const server = plainServer('https://one.test')
    const proxied = {
      providers: [server.provider],
      ports: { fetch: server.fetch },
      redirectProxyUrl: 'https://stable.example.com/auth',
      redirectProxyOrigins: ['https://app.example.com'],
    }
    const started = await tenant('tenant-a', proxied).visitor().post('/signin/oa')
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const hop = await new Visitor(
      tenant(undefined, proxied).auth.handle,
      'https://stable.example.com/auth',
    ).get(`/callback/oa?${new URLSearchParams({ code: 'c', state })}`)
    expect(hop.headers.get('location')).toContain('https://app.example.com/auth/callback/oa?code=c')
  })
})

describe('a person without a database', () => {
  it('is somebody else at another server, whatever its id', async () => {
    const subjects = await Promise.all(
      ['https://one.test', 'https://two.test', 'https://one.test'].map(async origin => {
        const server = plainServer(origin)
        const { visitor } = tenant(undefined, {
          providers: [server.provider],
          ports: { fetch: server.fetch },
          callbacks: { session: ({ session, token }) => ({ ...session, sub: token.sub }) },
        })
        const browser = visitor()
        const started = await browser.post('/signin/oa')
        const url = new URL(started.headers.get('location') ?? '')
        const state = url.searchParams.get('state') ?? ''
        await browser.get(`/callback/oa?${new URLSearchParams({ code: 'code', state })}`)
        return ((await browser.session()) as { sub: string }).sub
      }),
    )
    expect(subjects[0]).toMatch(/^[\da-f-]{36}$/)
    expect(subjects[0]).toBe(subjects[2])
    expect(subjects[0]).not.toBe(subjects[1])
  })
})

describe('session.audience', () => {
  it.each(['', 7, null])('cannot be %j', async audience => {
    const { auth, visitor } = tenant(audience as never)
    expect((await visitor().get('/csrf')).status).toBe(500)
    expect(auth.errors.map(({ message }) => message).join()).toContain('session.audience')
  })

  it('is what getToken asks for', async () => {
    const visitor = await signedIn(tenant('tenant-a').visitor())
    const headers = { cookie: visitor.cookieHeader() }
    const ask = (audience?: string) =>
      getToken({
        req: { headers },
        secret: SECRET,
        secureCookie: true,
        ...(audience && { audience }),
      })
    expect(await ask('tenant-a')).toMatchObject({ sub: 'u1' })
    expect(await ask('tenant-b')).toBeNull()
    expect(await ask()).toBeNull()
  })

  it('reaches an own way to seal, by the salt', async () => {
    const salts = new Set<string>()
    const { visitor } = tenant('tenant-a', {
      jwt: {
        encode: ({ token, salt }) => {
          salts.add(salt)
          return JSON.stringify(token)
        },
        decode: ({ token = '', salt }) => {
          salts.add(salt)
          return JSON.parse(token)
        },
      },
    })
    await signedIn(visitor())
    expect([...salts]).toEqual([`tenant-a ${SESSION_COOKIE}`])
  })
})

/** A server of plain OAuth with one user. */
function plainServer(origin: string) {
  const provider: OAuth2Config<Profile> = {
    id: 'oa',
    name: 'OA',
    type: 'oauth',
    authorization: `${origin}/authorize`,
    token: `${origin}/token`,
    userinfo: `${origin}/me`,
    clientId: 'id',
    clientSecret: 'secret',
  }
  const fetch: typeof globalThis.fetch = async input =>
    new URL(input instanceof Request ? input.url : input).pathname === '/token'
      ? Response.json({ access_token: 'at', token_type: 'bearer' })
      : Response.json({ id: 1, name: 'One' })
  return { provider, fetch }
}

/** A store with tokens for links. */
function withTokens(): Adapter {
  const { adapter } = memoryAdapter([ANN])
  const tokens: VerificationToken[] = []
  return {
    ...adapter,
    getUserByEmail: async email =>
      email === ANN.email ? { ...ANN, emailVerified: new Date(0) } : null,
    createVerificationToken: async token => {
      tokens.push(token)
      return token
    },
    useVerificationToken: async ({ identifier, token }) => {
      const at = tokens.findIndex(each => each.identifier === identifier && each.token === token)
      return at === -1 ? null : (tokens.splice(at, 1)[0] ?? null)
    },
  }
}
