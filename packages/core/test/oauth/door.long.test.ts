import { Auth as OldAuth, skipCSRFCheck as oldSkipCSRFCheck } from '@auth/core'
import type { AuthConfig } from '@siteauth/core'
import type { AdapterAccount } from '@siteauth/core/adapters'
import { encode } from '@siteauth/core/jwt'
import type { OIDCConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { describe, expect, it, vi } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type FakeServer } from './fake-server.ts'

function providerOf({ issuer }: FakeServer, id = 'op'): OIDCConfig<Profile> {
  return {
    id,
    name: `Provider ${id}`,
    type: 'oidc',
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  }
}

async function setUp(config: Partial<AuthConfig> = {}) {
  const server = await createFakeServer()
  const auth = createTestAuth({
    providers: [providerOf(server)],
    ports: { fetch: server.fetch },
    ...config,
  })
  return { server, auth, visitor: new Visitor(auth.handle) }
}

/** Sends a visitor to the provider; answers where the provider sends them back to. */
async function goToProvider(
  server: FakeServer,
  visitor: Visitor,
  { id = 'op', fields = {} as Record<string, string>, query = '' } = {},
): Promise<URL> {
  const started = await visitor.post(`/signin/${id}${query}`, fields)
  const url = new URL(started.headers.get('location') ?? '')
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  back.search = server.authorize(url).toString()
  return back
}

describe('signing in at a provider', () => {
  it('ends signed in, where the visitor wanted to be', async () => {
    const { server, visitor } = await setUp()
    const back = await goToProvider(server, visitor, { fields: { callbackUrl: '/inbox' } })
    expect(back.origin + back.pathname).toBe('https://app.example.com/auth/callback/op')
    const finished = await visitor.send(back.href)
    expect(finished.status).toBe(302)
    expect(finished.headers.get('location')).toBe('https://app.example.com/inbox')
    expect(await visitor.session()).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@example.test' },
    })
  })

  it('sends state, an S256 challenge and a nonce without being asked to', async () => {
    const { visitor } = await setUp()
    const started = await visitor.post('/signin/op')
    const { searchParams } = new URL(started.headers.get('location') ?? '')
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get('state')).toMatch(/^[\w-]{43,}$/)
    expect(searchParams.get('nonce')).toMatch(/^[\w-]{43,}$/)
    expect(searchParams.get('scope')).toBe('openid profile email')
  })

  it('lets a visitor add a hint, and change nothing that the flow stands on', async () => {
    const { visitor } = await setUp()
    const query =
      '?login_hint=ada&prompt=login&client_id=evil&redirect_uri=https://evil.test&scope=openid%20admin&state=x&response_type=token'
    const started = await visitor.post(`/signin/op${query}`)
    const { searchParams } = new URL(started.headers.get('location') ?? '')
    expect(searchParams.get('login_hint')).toBe('ada')
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.getAll('client_id')).toEqual([CLIENT_ID])
    expect(searchParams.getAll('redirect_uri')).toEqual([
      'https://app.example.com/auth/callback/op',
    ])
    expect(searchParams.get('response_type')).toBe('code')
    expect(searchParams.get('scope')).not.toContain('admin')
    expect(searchParams.get('state')).not.toBe('x')
  })

  it('keeps the same sub at every sign-in without a database', async () => {
    const subs: unknown[] = []
    const { server, auth } = await setUp({
      callbacks: {
        jwt: ({ token, trigger }) => {
          if (trigger === 'signIn') subs.push(token.sub)
          return token
        },
      },
    })
    for (let time = 0; time < 2; time++) {
      const visitor = new Visitor(auth.handle)
      await visitor.send((await goToProvider(server, visitor)).href)
    }
    expect(subs[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(subs[1]).toBe(subs[0])
  })

  it('gives the callbacks the account with all tokens, and the raw profile', async () => {
    const signIn = vi.fn(() => true)
    const { server, visitor } = await setUp({ callbacks: { signIn } })
    await visitor.send((await goToProvider(server, visitor)).href)
    expect(signIn).toHaveBeenCalledWith({
      user: expect.objectContaining({ name: 'Ada Lovelace' }),
      account: expect.objectContaining({
        provider: 'op',
        type: 'oidc',
        providerAccountId: 'ada',
        token_type: 'bearer',
        access_token: expect.any(String),
        id_token: expect.any(String),
      }),
      profile: expect.objectContaining({ sub: 'ada' }),
      isEmailProven: false,
    })
  })

  it.each([
    ['false', () => false, /\/auth\/error\?error=AccessDenied$/],
    ['a path', () => '/banned', /^https:\/\/app\.example\.com\/banned$/],
    ['another site', () => 'https://help.example.org/', /^https:\/\/help\.example\.org\/$/],
  ])('obeys a signIn callback that answers %s', async (_, signIn, expected) => {
    const { server, visitor } = await setUp({ callbacks: { signIn } })
    const finished = await visitor.send((await goToProvider(server, visitor)).href)
    expect(finished.headers.get('location')).toMatch(expected)
    expect(await visitor.session()).toBeNull()
  })

  it('reads sessions without asking the provider anything', async () => {
    const { server, visitor } = await setUp()
    await visitor.send((await goToProvider(server, visitor)).href)
    const asked = server.requests.length
    await visitor.session()
    expect(server.requests.length).toBe(asked)
  })

  it('asks for the metadata once, however many sign in at the same time', async () => {
    const { server, auth } = await setUp()
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const visitor = new Visitor(auth.handle)
        await visitor.send((await goToProvider(server, visitor)).href)
        expect(await visitor.session()).not.toBeNull()
      }),
    )
    expect(server.count('/.well-known/openid-configuration')).toBe(1)
  })
})

describe('several attempts', () => {
  it('lets two tabs sign in, each to where it wanted', async () => {
    const { server, visitor } = await setUp()
    const one = await goToProvider(server, visitor, { fields: { callbackUrl: '/one' } })
    const two = await goToProvider(server, visitor, { fields: { callbackUrl: '/two' } })
    const finishedOne = await visitor.send(one.href)
    const finishedTwo = await visitor.send(two.href)
    expect(finishedOne.headers.get('location')).toBe('https://app.example.com/one')
    expect(finishedTwo.headers.get('location')).toBe('https://app.example.com/two')
  })

  it('keeps only as many attempts in a browser as fit into the budget', async () => {
    const { visitor } = await setUp()
    for (let attempt = 0; attempt < 8; attempt++) await visitor.post('/signin/op')
    const kept = [...visitor.cookies.keys()].filter(name => name.includes('authjs.state'))
    expect(kept).toHaveLength(4)
  })

  it('says what to do when an answer is opened a second time, and keeps the session', async () => {
    const { server, visitor } = await setUp()
    const back = await goToProvider(server, visitor)
    await visitor.send(back.href)
    const again = await visitor.send(back.href)
    expect(again.headers.get('location')).toBe(
      'https://app.example.com/auth/error?error=InvalidCheck',
    )
    const page = await visitor.get('/error?error=InvalidCheck')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('href="https://app.example.com/auth/signin"')
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })
})

describe('answers that nobody here asked for', () => {
  async function expectRefused(visitor: Visitor, server: FakeServer, url: string) {
    const finished = await visitor.send(url)
    expect(finished.headers.get('location')).toContain('error=')
    expect(await visitor.session()).toBeNull()
    expect(server.count('/token')).toBe(0)
  }

  it('refuses an answer in another browser', async () => {
    const { server, auth, visitor } = await setUp()
    const back = await goToProvider(server, visitor)
    await expectRefused(new Visitor(auth.handle), server, back.href)
  })

  it('refuses the answer of one provider at the callback of another', async () => {
    const server = await createFakeServer()
    const other = await createFakeServer({ issuer: 'https://other.test' })
    const fetch: typeof globalThis.fetch = (input, init) =>
      (String(input instanceof Request ? input.url : input).startsWith(other.issuer)
        ? other
        : server
      ).fetch(input, init)
    const auth = createTestAuth({
      providers: [providerOf(server), providerOf(other, 'other')],
      ports: { fetch },
    })
    const visitor = new Visitor(auth.handle)
    const back = await goToProvider(server, visitor)
    await expectRefused(visitor, other, back.href.replace('/callback/op', '/callback/other'))
  })

  it('refuses a code from elsewhere that is put into an attempt of the visitor', async () => {
    const { server, auth, visitor } = await setUp()
    const stolen = await goToProvider(server, new Visitor(auth.handle))
    const own = await goToProvider(server, visitor)
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    const finished = await visitor.send(own.href)
    expect(finished.headers.get('location')).toContain('error=')
    expect(await visitor.session()).toBeNull()
  })

  it('uses an attempt up also when it fails', async () => {
    const { server, visitor } = await setUp()
    const back = await goToProvider(server, visitor)
    const refused = new URL(back)
    refused.searchParams.delete('code')
    refused.searchParams.set('error', 'access_denied')
    const failed = await visitor.send(refused.href)
    expect(failed.headers.get('location')).toBe(
      'https://app.example.com/auth/signin?error=OAuthCallbackError',
    )
    expect([...visitor.cookies.keys()].some(name => name.includes('authjs.state'))).toBe(false)
    await visitor.send(back.href)
    expect(await visitor.session()).toBeNull()
  })

  it('takes no value that was sealed for a sign-in as a session', async () => {
    const { visitor } = await setUp()
    await visitor.post('/signin/op')
    const [sealed] = [...visitor.cookies].filter(([name]) => name.includes('authjs.state.'))
    const cookie = `__Secure-authjs.session-token=${sealed?.[1]}`
    const response = await visitor.send('/session', { headers: { cookie } })
    expect(await response.json()).toBeNull()
  })
})

describe('an answer that is posted as a form', () => {
  it('signs in, with a cookie that comes along from the other site', async () => {
    const { server, visitor } = await setUpPosting()
    const started = await visitor.post('/signin/op')
    const [cookie = ''] = started.headers.getSetCookie()
    expect(cookie).toMatch(/; Secure; SameSite=None$/)
    const url = new URL(started.headers.get('location') ?? '')
    const finished = await postFromProvider(visitor, server, url)
    expect(finished.headers.get('location')).toBe('https://app.example.com')
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect([...visitor.cookies.keys()].filter(name => name.includes('.state'))).toEqual([])
  })

  it('is not shown in an address on the way', async () => {
    const { server, visitor } = await setUpPosting()
    const started = await visitor.post('/signin/op')
    const answer = server.authorize(new URL(started.headers.get('location') ?? ''))
    const kept = await postForeign(visitor, answer)
    const { searchParams } = new URL(kept.headers.get('location') ?? '')
    expect([...searchParams.keys()]).toEqual(['state'])
    expect(kept.headers.getSetCookie().join()).not.toContain(answer.get('code'))
  })

  it('leads to nothing in a browser that did not ask for it', async () => {
    const { server, visitor, auth } = await setUpPosting()
    const started = await visitor.post('/signin/op')
    const answer = server.authorize(new URL(started.headers.get('location') ?? ''))
    const other = new Visitor(auth.handle)
    const response = await postForeign(other, answer)
    expect(response.headers.get('location')).toContain('error=InvalidCheck')
    expect([...other.cookies.keys()]).toEqual([])
  })

  it('adds the account to whoever is signed in, and ends the session that they had', async () => {
    const { adapter, users, sessions } = memoryAdapter([
      { id: 'bob', name: 'Bob', email: 'bob@example.test' },
    ])
    const linked: unknown[] = []
    const linkAccount = async (account: AdapterAccount) => void linked.push(account.userId)
    const { server, visitor } = await setUpPosting({
      adapter: { ...adapter, linkAccount },
      // The session below was given to no browser.
      cookies: { sessionToken: { options: { domain: 'example.com' } } },
    })
    const expires = new Date(Date.now() + 3_600_000)
    sessions.set('earlier', { sessionToken: 'earlier', userId: 'bob', expires })
    visitor.cookies.set('__Secure-authjs.session-token', 'earlier')
    const started = await visitor.post('/signin/op')
    await postFromProvider(visitor, server, new URL(started.headers.get('location') ?? ''))
    expect(linked).toEqual(['bob'])
    expect(users.size).toBe(1)
    // What is under way can read the earlier one for a moment, under another name.
    const lasting = [...sessions.values()].filter(
      each => each.expires.getTime() > Date.now() + 60_000,
    )
    expect(lasting.map(each => each.userId)).toEqual(['bob'])
    expect(sessions.has('earlier')).toBe(false)
  })

  it('clears the parts of a longer session that the browser had', async () => {
    const { server, visitor } = await setUpPosting()
    const name = '__Secure-authjs.session-token'
    for (const part of [0, 1, 2]) visitor.cookies.set(`${name}.${part}`, 'x')
    const started = await visitor.post('/signin/op')
    await postFromProvider(visitor, server, new URL(started.headers.get('location') ?? ''))
    expect([...visitor.cookies.keys()].filter(each => each.startsWith(name))).toEqual([name])
  })

  it('is refused where a field of it comes twice', async () => {
    const server = await createFakeServer()
    const provider: OIDCConfig<Profile> = {
      ...providerOf(server),
      authorization: { params: { response_mode: 'form_post' } },
    }
    const auth = createTestAuth({ providers: [provider], ports: { fetch: server.fetch } })
    const visitor = new Visitor(auth.handle)
    const started = await visitor.post('/signin/op')
    const answer = server.authorize(new URL(started.headers.get('location') ?? ''))
    answer.append('code', 'another')
    await visitor.send('/callback/op', { method: 'POST', body: answer })
    expect(await visitor.session()).toBeNull()
  })
})

describe('a sign-in that failed', () => {
  it('can be tried again to where it was to lead, whatever another tab has asked for since', async () => {
    const { server, visitor } = await setUp()
    const started = await visitor.post('/signin/op', { callbackUrl: '/basket' })
    const back = new URL(started.headers.get('location') ?? '')
    await visitor.get('/signin?callbackUrl=%2Felsewhere')
    const answer = server.authorize(back)
    answer.set('code', 'wrong')
    const failed = await visitor.send(`/callback/op?${answer}`)
    expect(failed.headers.get('location')).toContain('/auth/signin?error=')
    expect(decodeURIComponent(visitor.cookies.get('__Secure-authjs.callback-url') ?? '')).toBe(
      'https://app.example.com/basket',
    )
  })

  it('sets no cookie for that where there was no wish', async () => {
    const { server, visitor } = await setUp()
    const started = await visitor.post('/signin/op')
    const answer = server.authorize(new URL(started.headers.get('location') ?? ''))
    answer.set('code', 'wrong')
    await visitor.send(`/callback/op?${answer}`)
    expect(visitor.cookies.has('__Secure-authjs.callback-url')).toBe(false)
  })
})

describe('a redirect proxy', () => {
  const proxyUrl = 'https://stable.example.com/auth'
  const listed = {
    redirectProxyUrl: proxyUrl,
    redirectProxyOrigins: ['https://app.example.com', 'https://*.preview.example.com'],
  }

  /** The proxy's answer to what a provider sent for a deployment at some origin. */
  async function hopTo(
    origin: string,
    config: Partial<AuthConfig> = listed,
    env: Readonly<Record<string, string>> = {},
  ) {
    const server = await createFakeServer()
    const auth = createTestAuth({ providers: [providerOf(server)], ...config }, env)
    const state = await encode({
      token: { random: 'r', origin: `${origin}/auth/callback/op` },
      secret: SECRET,
      salt: 'encodedState',
    })
    const query = new URLSearchParams({ code: 'c', state })
    const answer = await auth.handle(new Request(`${proxyUrl}/callback/op?${query}`))
    return { auth, location: answer.headers.get('location') ?? '' }
  }

  it.each(['ours', 'the old library'])('passes the answer on when it runs %s', async kind => {
    const { server, visitor } = await setUp(listed)
    const back = await goToProvider(server, visitor)
    expect(back.origin).toBe('https://stable.example.com')
    const hop =
      kind === 'ours'
        ? await (await setUp(listed)).auth.handle(new Request(back))
        : await OldAuth(new Request(back), {
            secret: SECRET,
            trustHost: true,
            basePath: '/auth',
            redirectProxyUrl: proxyUrl,
            skipCSRFCheck: oldSkipCSRFCheck,
            providers: [providerOf(server) as never],
            logger: { error() {}, warn() {}, debug() {} },
          })
    const forwarded = new URL(hop.headers.get('location') ?? '')
    expect(forwarded.origin + forwarded.pathname).toBe('https://app.example.com/auth/callback/op')
    await visitor.send(forwarded.href)
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  it.each([[true], [['stable.example.com']], [['*.example.com']]])(
    'hands codes to listed origins alone, with trustHost %j',
    async trustHost => {
      const config = { ...listed, trustHost }
      const preview = 'https://pr-1.preview.example.com'
      expect((await hopTo(preview, config)).location).toContain(`${preview}/auth/callback/op?code=`)
      for (const origin of ['https://evil.test', 'https://a.b.preview.example.com']) {
        const { auth, location } = await hopTo(origin, config)
        expect(location).toBe('https://stable.example.com/auth/error?error=Configuration')
        expect(auth.errors[0]?.message).toContain(`add "${origin}" to redirectProxyOrigins`)
      }
    },
  )

  it('hands no codes to anybody without a list', async () => {
    const { auth, location } = await hopTo('https://app.example.com', {
      redirectProxyUrl: proxyUrl,
    })
    expect(location).toBe('https://stable.example.com/auth/error?error=Configuration')
    expect(auth.errors[0]?.message).toContain('redirectProxyOrigins')
  })

  it('takes the list from the environment', async () => {
    const env = {
      AUTH_REDIRECT_PROXY_URL: proxyUrl,
      AUTH_REDIRECT_PROXY_ORIGINS: 'https://other.test, https://app.example.com',
    }
    expect((await hopTo('https://app.example.com', {}, env)).location).toContain(
      'https://app.example.com/auth/callback/op?code=',
    )
  })

  it('need be no client of the provider itself', async () => {
    const server = await createFakeServer()
    const { clientId: _, clientSecret: __, ...stranger } = providerOf(server)
    const { location } = await hopTo('https://app.example.com', {
      ...listed,
      providers: [stranger],
    })
    expect(location).toContain('https://app.example.com/auth/callback/op?code=')
  })

  it.each([
    { redirectProxyUrl: proxyUrl },
    { ...listed, redirectProxyOrigins: ['https://other.test'] },
    { ...listed, redirectProxyOrigins: ['https://other.test'], trustHost: ['app.example.com'] },
  ])('is not asked for by a deployment that is not listed: %j', async config => {
    const { auth, visitor } = await setUp(config)
    const started = await visitor.post('/signin/op')
    expect(started.headers.get('location')).toBe(
      'https://app.example.com/auth/error?error=Configuration',
    )
    expect(auth.errors[0]?.message).toContain(
      'add "https://app.example.com" to redirectProxyOrigins',
    )
  })

  it('is not led elsewhere by the host that a visitor sends', async () => {
    const { auth } = await setUp({ ...listed, trustHost: true })
    const visitor = new Visitor(auth.handle, 'https://evil.test/auth')
    const started = await visitor.post('/signin/op')
    expect(started.headers.get('location')).toBe('https://evil.test/auth/error?error=Configuration')
  })

  it('forwards to nobody whom the shared secret does not vouch for', async () => {
    const { auth } = await setUp(listed)
    const state = await encode({
      token: { random: 'r', origin: 'https://evil.test/auth/callback/op' },
      secret: 'somebody else’s secret, also long enough',
      salt: 'encodedState',
    })
    const response = await auth.handle(
      new Request(`${proxyUrl}/callback/op?code=c&state=${encodeURIComponent(state)}`),
    )
    expect(response.headers.get('location')).toContain(
      'https://stable.example.com/auth/error?error=InvalidCheck',
    )
  })
})

describe('a sign-in that was under way when the library was swapped', () => {
  it('is finished', async () => {
    const { server, visitor, auth } = await setUp()
    const config: Parameters<typeof OldAuth>[1] = {
      secret: SECRET,
      trustHost: true,
      basePath: '/auth',
      skipCSRFCheck: oldSkipCSRFCheck,
      providers: [
        {
          ...providerOf(server),
          checks: ['pkce', 'state', 'nonce'],
          authorization: { url: `${server.issuer}/authorize` },
        } as never,
      ],
      logger: { error() {}, warn() {}, debug() {} },
    }
    const old = new Visitor(request => OldAuth(request, config))
    const started = await old.send('/signin/op', {
      method: 'POST',
      body: new URLSearchParams({ callbackUrl: '/inbox' }),
    })
    const url = new URL(started.headers.get('location') ?? '')
    for (const [name, value] of old.cookies) visitor.cookies.set(name, value)
    const back = `https://app.example.com/auth/callback/op?${server.authorize(url)}`
    await visitor.send(back)
    expect(auth.errors).toEqual([])
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })
})

describe('a provider that cannot work', () => {
  it('says which variable is missing, in the log, and takes nothing else down', async () => {
    const server = await createFakeServer()
    const { clientId: _, ...incomplete } = providerOf(server)
    const auth = createTestAuth({ providers: [incomplete], ports: { fetch: server.fetch } })
    const visitor = new Visitor(auth.handle)
    expect(await visitor.session()).toBeNull()
    expect(auth.warnings).toContain('missing-client-id')
    const started = await visitor.post('/signin/op')
    expect(started.headers.get('location')).toContain('error=Configuration')
    expect(auth.errors.at(-1)?.message).toContain('AUTH_OP_ID')
  })

  it('is warned of by its name, and by that of its variable', async () => {
    const server = await createFakeServer()
    const { clientId: _, ...incomplete } = providerOf(server, 'our-op')
    const warn = vi.fn()
    const { handle } = createTestAuth({ providers: [incomplete], logger: { warn } })
    await new Visitor(handle).get('/providers')
    expect(warn).toHaveBeenCalledWith('missing-client-id', '"our-op" is missing AUTH_OUR_OP_ID.')
  })

  it('is reported as such, and nobody is signed in, when its server is down', async () => {
    const { server, visitor, auth } = await setUp()
    server.faults.answer = () => Response.json({}, { status: 503 })
    const started = await visitor.post('/signin/op')
    expect(started.headers.get('location')).toContain('/auth/signin?error=')
    expect(auth.errors.at(-1)?.message).toContain('503')
  })
})

async function setUpPosting(config: Partial<AuthConfig> = {}) {
  const server = await createFakeServer()
  const provider: OIDCConfig<Profile> = {
    ...providerOf(server),
    authorization: { params: { response_mode: 'form_post' } },
  }
  const auth = createTestAuth({ providers: [provider], ports: { fetch: server.fetch }, ...config })
  return { server, auth, visitor: new Visitor(auth.handle) }
}

/** As browsers post a form from another site: only cookies come along that were made for that. */
async function postForeign(visitor: Visitor, body: URLSearchParams): Promise<Response> {
  const sent = [...visitor.cookies].filter(([name]) => name.includes('authjs.state'))
  const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { origin: 'https://op.test', 'sec-fetch-site': 'cross-site', cookie }
  return visitor.send('/callback/op', { method: 'POST', headers, body })
}

/** The whole way back: the posted answer, and where the browser is sent then. */
async function postFromProvider(visitor: Visitor, server: FakeServer, url: URL) {
  const kept = await postForeign(visitor, server.authorize(url))
  return visitor.send(kept.headers.get('location') ?? '', {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
}
