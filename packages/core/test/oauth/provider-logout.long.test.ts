import { inspect } from 'node:util'
import type { AuthConfig } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import Passkey from '@siteauth/core/providers/passkey'
import type { Profile } from '@siteauth/core/types'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, SECRET, Visitor } from '../visitor.ts'
import { type Options, SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type FakeServer } from './fake-server.ts'

const ORIGIN = 'https://app.example.com'
const HINT = '__Secure-siteauth.hint'
const STATE = '__Secure-siteauth.logout'
const RETURN = `${ORIGIN}/auth/signout/return`

function providerOf(server: FakeServer, more: Partial<OIDCConfig<Profile>> = {}) {
  const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const { issuer } = server
  return {
    ...{ id: 'op', name: 'OP', type: 'oidc', issuer, ...client, logout: 'provider', ...more },
  } as OIDCConfig<Profile>
}

async function setUp(
  config: Partial<AuthConfig> = {},
  provider: Partial<OIDCConfig<Profile>> = {},
  server?: FakeServer,
) {
  const op = server ?? (await createFakeServer({ alg: 'ES256' }))
  const auth = createTestAuth({
    providers: [
      providerOf(op, provider),
      Credentials({ credentials: {}, authorize: () => ({ id: 'bob', name: 'Bob' }) }),
    ],
    ports: { fetch: op.fetch },
    ...config,
  })
  return { op, auth, visitor: new Visitor(auth.handle) }
}

async function signIn(op: FakeServer, visitor: Visitor, id = 'op'): Promise<Response> {
  const started = await visitor.post(`/signin/${id}`)
  const url = new URL(started.headers.get('location') ?? '')
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  back.search = op.authorize(url).toString()
  return visitor.send(back.href)
}

async function signOut(visitor: Visitor, callbackUrl = '/bye'): Promise<URL> {
  const answer = await visitor.post('/signout', { callbackUrl })
  return new URL(answer.headers.get('location') ?? '')
}

async function signedIn(...setting: Parameters<typeof setUp>) {
  const world = await setUp(...setting)
  await signIn(world.op, world.visitor)
  return world
}

/** The request in which the application calls `signOut`: no cookie of `/auth/signout` comes along. */
function callOf(visitor: Visitor, page = '/account') {
  const kept = [...visitor.cookies].filter(([name]) => name !== HINT && name !== STATE)
  const cookie = kept.map(([name, value]) => `${name}=${value}`).join('; ')
  return { headers: { cookie, referer: ORIGIN + page }, url: ORIGIN + page }
}

/** Somebody who signed in, and whose refresh token was replaced since. */
async function rotated(config: Partial<AuthConfig>, claims: Record<string, unknown>) {
  let now = Date.now()
  const op = await createFakeServer({ alg: 'ES256', now: () => now })
  const world = await setUp({ ports: { fetch: op.fetch, now: () => now }, ...config }, {}, op)
  op.faults.claims = all => ({ ...all, ...claims })
  await signIn(op, world.visitor)
  now += 2 * 3_600_000
  const iat = Math.floor(now / 1000)
  const newer = { iss: op.issuer, aud: CLIENT_ID, sub: 'ada', iat, exp: iat + 300, ...claims }
  const id_token = 'sid' in claims ? await op.sign(newer) : undefined
  op.faults.answer = path =>
    path === '/token'
      ? Response.json({
          access_token: 'at-new',
          refresh_token: 'rt-new',
          token_type: 'Bearer',
          expires_in: 3600,
          id_token,
        })
      : undefined
  const request = callOf(world.visitor)
  await world.auth.accounts.getAccessToken(request, 'op')
  for (const line of world.auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    world.visitor.cookies.set(name, value)
  }
  delete op.faults.answer
  return world
}

afterEach(() => {
  vi.useRealTimers()
})

describe('signing out at the provider, too', () => {
  it.each([
    ['in a cookie', {}],
    ['in a database', { adapter: MemoryAdapter() }],
  ] as const)('ends the session %s, then leads there', async (_where, config) => {
    const { op, visitor } = await signedIn(config)
    const url = await signOut(visitor)
    expect(url.origin + url.pathname).toBe(`${op.issuer}/logout`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: RETURN,
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
      id_token_hint: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    expect(await visitor.session()).toBeNull()
  })

  it('leads back to where the visitor wanted to go', async () => {
    const { visitor } = await signedIn()
    const state = (await signOut(visitor)).searchParams.get('state')
    const back = await visitor.get(`/signout/return?state=${state}`)
    expect(back.headers.get('location')).toBe(`${ORIGIN}/bye`)
    expect(visitor.cookies.has(STATE)).toBe(false)
  })

  it.each([
    ['without state', ''],
    ['with another state', '?state=00000000000000000000000000000000'],
    ['with a place of its own', '?state=&callbackUrl=https://evil.test'],
  ])('leads back to the site from a provider that answers %s', async (_what, query) => {
    const { visitor } = await signedIn()
    await signOut(visitor)
    const back = await visitor.get(`/signout/return${query}`)
    expect(back.headers.get('location')).toBe(ORIGIN)
  })

  it('is not prevented by cookies that a sibling host has planted in front of ours', async () => {
    const { op, visitor } = await signedIn()
    const own = visitor.cookieHeader.bind(visitor)
    visitor.cookieHeader = () => `${HINT}=planted; ${STATE}=planted; ${own()}`
    const url = await signOut(visitor)
    expect(url.origin + url.pathname).toBe(`${op.issuer}/logout`)
    const back = await visitor.get(`/signout/return?state=${url.searchParams.get('state')}`)
    expect(back.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })

  it('leads another browser with the same state to the site only', async () => {
    const { auth, visitor } = await signedIn()
    const state = (await signOut(visitor)).searchParams.get('state')
    const back = await new Visitor(auth.handle).get(`/signout/return?state=${state}`)
    expect(back.headers.get('location')).toBe(ORIGIN)
  })

  it.each(['https://evil.test', '//evil.test', `${ORIGIN}/ok?post_logout_redirect_uri=x`])(
    'sends the registered URL, whatever the visitor asks for: %s',
    async wish => {
      const { visitor } = await signedIn()
      const url = await signOut(visitor, wish)
      expect(url.searchParams.getAll('post_logout_redirect_uri')).toEqual([RETURN])
      const back = await visitor.get(`/signout/return?state=${url.searchParams.get('state')}`)
      expect(back.headers.get('location')).toMatch(/^https:\/\/app\.example\.com(?:\/ok\?|$)/)
    },
  )

  it('keeps the hint in a cookie that no other request carries', async () => {
    const { op, visitor } = await setUp()
    const lines = (await signIn(op, visitor)).headers.getSetCookie()
    const line = lines.find(each => each.startsWith(HINT)) ?? ''
    expect(line.replace(/=[^;]+/, '=sealed')).toBe(
      `${HINT}=sealed; Max-Age=34560000; Path=/auth/signout; HttpOnly; Secure; SameSite=Lax`,
    )
    expect(line.length).toBeLessThan(4096)
  })

  it('keeps it small enough for browsers, also with long names', async () => {
    const issuer = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.op.test`
    const { op, visitor } = await setUp({}, {}, await createFakeServer({ issuer, alg: 'ES256' }))
    op.faults.tokens = tokens => ({ ...tokens, refresh_token: 'r'.repeat(800) })
    op.faults.claims = claims => ({ ...claims, sub: 'ü'.repeat(255), groups: 'g'.repeat(300) })
    const lines = (await signIn(op, visitor)).headers.getSetCookie()
    const line = lines.find(each => each.startsWith(HINT)) ?? ''
    expect(line).not.toBe('')
    expect(line.length).toBeLessThan(4096)
  })

  it('has the browser forget the hint together with the session', async () => {
    const { op, visitor } = await setUp({ session: { remember: false } })
    const lines = (await signIn(op, visitor)).headers.getSetCookie()
    const kept = lines.filter(each => each.includes('siteauth.hint') || each.includes('.via'))
    expect(kept).toHaveLength(2)
    for (const line of kept) expect(line).not.toMatch(/Max-Age|Expires/)
  })

  it('tells scripts where to go', async () => {
    const { op, visitor } = await signedIn()
    const headers = { 'x-auth-return-redirect': '1' }
    const { url } = (await (await visitor.post('/signout', {}, headers)).json()) as { url: string }
    expect(url).toContain(`${op.issuer}/logout?`)
  })

  it('is not begun by a link, nor by a form of another site', async () => {
    const { op, visitor } = await signedIn()
    await visitor.get('/signout')
    await visitor.send('/signout', { method: 'POST', body: new URLSearchParams() })
    expect(await visitor.session()).not.toBeNull()
    expect(op.count('/revoke')).toBe(0)
  })

  it('leaves out a hint that would make the URL longer than 2 kB', async () => {
    const { op, visitor } = await setUp()
    op.faults.claims = claims => ({ ...claims, groups: 'g'.repeat(1500) })
    await signIn(op, visitor)
    const url = await signOut(visitor)
    expect(url.pathname).toBe('/logout')
    expect(url.searchParams.has('id_token_hint')).toBe(false)
    expect(url.searchParams.get('client_id')).toBe(CLIENT_ID)
  })

  it('uses the endpoint, the parameters and the names that are configured', async () => {
    const { visitor } = await signedIn(
      {},
      {
        endSession: {
          url: 'https://login.test/v2/logout?federated',
          params: { ui_locales: 'de&x=1' },
          returnParam: 'logout_uri',
        },
      },
    )
    const url = await signOut(visitor)
    expect(url.origin + url.pathname).toBe('https://login.test/v2/logout')
    expect(url.searchParams.has('federated')).toBe(true)
    expect(url.searchParams.get('ui_locales')).toBe('de&x=1')
    expect(url.searchParams.get('logout_uri')).toBe(RETURN)
    expect(url.searchParams.has('post_logout_redirect_uri')).toBe(false)
  })
})

it('is still where people sign out who have added a passkey since', async () => {
  const op = await createFakeServer({ alg: 'ES256' })
  const { visitor } = await setUp(
    {
      adapter: MemoryAdapter(),
      providers: [providerOf(op), Passkey],
      experimental: { enableWebAuthn: true },
    },
    {},
    op,
  )
  await signIn(op, visitor)
  const asked = await visitor.get('/webauthn-options/passkey?action=register')
  const { options } = (await asked.json()) as { options: Options }
  const data = JSON.stringify(new SoftwareAuthenticator(ORIGIN).create(options))
  await visitor.post('/callback/passkey', { action: 'register', data })
  expect((await signOut(visitor)).pathname).toBe('/logout')
})

describe('a session that the provider has no part in', () => {
  it('is ended here only, where the provider is not asked to take part', async () => {
    const { op, visitor } = await setUp({}, { logout: 'local' })
    const lines = (await signIn(op, visitor)).headers.getSetCookie()
    expect(lines.filter(each => each.includes('siteauth.hint'))).toEqual([])
    expect((await signOut(visitor)).href).toBe(`${ORIGIN}/bye`)
  })

  it('is not taken for the earlier one of another way to sign in', async () => {
    const { visitor } = await signedIn()
    await visitor.post('/callback/credentials')
    expect(visitor.cookies.has(HINT)).toBe(false)
    expect((await signOut(visitor)).href).toBe(`${ORIGIN}/bye`)
  })

  it('is not ended elsewhere by the hint of somebody else that was planted', async () => {
    const { auth, visitor: mallory } = await signedIn()
    const bob = new Visitor(auth.handle)
    await bob.post('/callback/credentials')
    bob.cookies.set(HINT, mallory.cookies.get(HINT) ?? '')
    expect((await signOut(bob)).href).toBe(`${ORIGIN}/bye`)
  })

  it('does not show the hint to another server that the provider has become', async () => {
    const { visitor } = await signedIn()
    const other = await createFakeServer({ issuer: 'https://other.test', alg: 'ES256' })
    const { auth } = await setUp({}, {}, other)
    const moved = new Visitor(auth.handle)
    for (const [name, value] of visitor.cookies) moved.cookies.set(name, value)
    expect((await signOut(moved)).href).toBe(`${ORIGIN}/bye`)
    expect(other.requests).toEqual([])
  })
})

describe('a provider that fails', () => {
  it.each([
    ['is down', { answer: () => Promise.reject(new Error('refused')) }],
    ['names no endpoint', { metadata: withEndpoint(undefined) }],
    ['names one without TLS', { metadata: withEndpoint('http://op.test/logout') }],
    ['names a script', { metadata: withEndpoint('javascript:alert(1)') }],
    ['names something else', { metadata: withEndpoint(['https://op.test/logout']) }],
  ] as const)('keeps nobody from signing out here: one that %s', async (_what, faults) => {
    const { visitor } = await signedIn()
    const restarted = await setUp()
    Object.assign(restarted.op.faults, faults)
    const later = new Visitor(restarted.auth.handle)
    for (const [name, value] of visitor.cookies) later.cookies.set(name, value)
    expect((await signOut(later)).href).toBe(`${ORIGIN}/bye`)
    expect(await later.session()).toBeNull()
    expect(later.cookies.has(HINT)).toBe(false)
  })

  it('is not waited for any longer than three seconds', async () => {
    const { visitor } = await signedIn()
    const restarted = await setUp()
    restarted.op.faults.answer = () => new Promise(() => {})
    const later = new Visitor(restarted.auth.handle)
    for (const [name, value] of visitor.cookies) later.cookies.set(name, value)
    const csrfToken = await later.csrfToken()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const body = new URLSearchParams({ csrfToken, callbackUrl: '/bye' })
    const leaving = later.send('/signout', { method: 'POST', body })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    vi.advanceTimersByTime(3000)
    expect((await leaving).headers.get('location')).toBe(`${ORIGIN}/bye`)
    const [error] = restarted.auth.errors
    expect(error?.message).toContain('signed out here, but not at "op"')
  })

  it('is not waited for any longer than three seconds in all', async () => {
    const { visitor } = await signedIn()
    const restarted = await setUp()
    let answerNow = () => {}
    restarted.op.faults.answer = path =>
      new Promise(resolve => {
        if (path !== '/revoke') answerNow = () => resolve(undefined)
      })
    const later = new Visitor(restarted.auth.handle)
    for (const [name, value] of visitor.cookies) later.cookies.set(name, value)
    const csrfToken = await later.csrfToken()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const body = new URLSearchParams({ csrfToken, callbackUrl: '/bye' })
    const leaving = later.send('/signout', { method: 'POST', body })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    vi.advanceTimersByTime(2000)
    answerNow()
    await vi.waitFor(() => expect(restarted.op.count('/revoke')).toBe(1))
    vi.advanceTimersByTime(1000)
    expect((await leaving).headers.get('location')).toContain(`${restarted.op.issuer}/logout?`)
    expect(inspect(restarted.auth.errors)).toContain('within 3000 ms')
  })

  it('is reported without a token', async () => {
    const { op, auth, visitor } = await signedIn({ debug: true })
    op.faults.answer = path =>
      path === '/revoke' ? new Response(null, { status: 500 }) : undefined
    const hint = (await signOut(visitor)).searchParams.get('id_token_hint') ?? 'missing'
    const told = JSON.stringify([auth.errors, auth.debugs, auth.errors.map(String)])
    expect(auth.errors.map(each => each.message).join()).toContain('The tokens were not revoked')
    for (const secret of [hint, 'rt-ada', 'at-ada', CLIENT_SECRET, SECRET]) {
      expect(told).not.toContain(secret)
    }
  })
})

describe('the tokens of a sign-in', () => {
  it('are revoked by the refresh token, and the client says who it is', async () => {
    const { op, visitor } = await signedIn()
    await signOut(visitor)
    const { body, headers, method } = op.requests.at(-1) ?? {}
    expect(op.requests.at(-1)?.url.pathname).toBe('/revoke')
    expect(method).toBe('POST')
    expect(Object.fromEntries(body ?? [])).toEqual({
      token: 'rt-ada',
      token_type_hint: 'refresh_token',
    })
    expect(headers?.get('authorization')).toMatch(/^Basic /)
  })

  it.each([
    ['by its scope', { scope: 'openid offline_access' }, {}],
    ['by a scope of X', { scope: 'openid offline.access' }, {}],
    ['by a parameter', {}, { authorization: { params: { access_type: 'offline' } } }],
    ['by one of Dropbox', {}, { authorization: { params: { token_access_type: 'offline' } } }],
    ['by one of Reddit', {}, { authorization: { params: { duration: 'permanent' } } }],
  ])('are not, where it is for use without the visitor: %s', async (_how, tokens, provider) => {
    const { op, visitor } = await setUp({}, provider)
    op.faults.tokens = all => ({ ...all, ...tokens })
    await signIn(op, visitor)
    await signOut(visitor)
    expect(op.requests.at(-1)?.body.get('token')).toBe('at-ada')
  })

  it.each([
    ['in a database', { adapter: MemoryAdapter() }, {}],
    ['in a database, with a new id_token', { adapter: MemoryAdapter() }, { sid: 'desk' }],
    ['in a cookie', { account: { storeTokensInCookie: true } }, {}],
  ])('are revoked as they are by now, %s', async (_where, config, claims) => {
    const { op, visitor } = await rotated(config, claims)
    await signOut(visitor)
    expect(op.requests.at(-1)?.body.get('token')).toBe('rt-new')
  })

  it('are those of this sign-in, not of a later one in another browser', async () => {
    const { op, auth, visitor } = await setUp({ adapter: MemoryAdapter() })
    for (const [browser, name] of [
      [visitor, 'desk'],
      [new Visitor(auth.handle), 'phone'],
    ] as const) {
      op.faults.claims = claims => ({ ...claims, sid: name })
      op.faults.tokens = tokens => ({ ...tokens, refresh_token: `rt-${name}` })
      await signIn(op, browser)
    }
    await signOut(visitor)
    expect(op.requests.at(-1)?.body.get('token')).toBe('rt-desk')
  })

  it('are revoked as they were, where the store does not say what became of them', async () => {
    const adapter = MemoryAdapter()
    const getAccount = () => Promise.reject(new Error('the store is down'))
    const { op, visitor } = await signedIn({ adapter: { ...adapter, getAccount } })
    expect((await signOut(visitor)).pathname).toBe('/logout')
    expect(op.requests.at(-1)?.body.get('token')).toBe('rt-ada')
  })

  it('count as revoked with any status that says so', async () => {
    const { op, auth, visitor } = await signedIn()
    op.faults.answer = path =>
      path === '/revoke' ? new Response(null, { status: 204 }) : undefined
    await signOut(visitor)
    expect(op.count('/revoke')).toBe(1)
    expect(auth.errors).toEqual([])
  })

  it('are revoked at a plain OAuth server that has no place to sign out', async () => {
    const op = await createFakeServer({ alg: 'ES256' })
    const { visitor } = await setUp(
      {
        providers: [
          {
            ...{ id: 'plain', name: 'Plain', type: 'oauth', logout: 'provider' as const },
            ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
            authorization: `${op.issuer}/authorize`,
            token: `${op.issuer}/token`,
            userinfo: `${op.issuer}/userinfo`,
            revocation: `${op.issuer}/revoke`,
          } as never,
        ],
        ports: { fetch: op.fetch },
      },
      {},
      op,
    )
    await signIn(op, visitor, 'plain')
    expect((await signOut(visitor)).href).toBe(`${ORIGIN}/bye`)
    expect(op.requests.at(-1)?.body.get('token')).toBe('rt-ada')
  })
})

describe('signing out with the function', () => {
  it('leads to the provider by way of the endpoint that the cookie comes along to', async () => {
    const { op, auth, visitor } = await signedIn()
    const request = callOf(visitor)
    const url = await auth.signOut(request, { redirectTo: '/bye' })
    const setCookies = auth.takeSetCookies(request)
    expect(url).toMatch(/^https:\/\/app\.example\.com\/auth\/signout\/provider\?ticket=[\w.-]+$/)
    expect(setCookies.join()).toMatch(/session-token=; Max-Age=0/)
    const onward = new URL((await visitor.send(url)).headers.get('location') ?? '')
    expect(onward.origin + onward.pathname).toBe(`${op.issuer}/logout`)
    expect(onward.searchParams.has('id_token_hint')).toBe(true)
    const state = onward.searchParams.get('state')
    const back = await visitor.get(`/signout/return?state=${state}`)
    expect(back.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })

  it('leads on at once who has signed in some other way', async () => {
    const { auth, visitor } = await signedIn()
    await visitor.post('/callback/credentials')
    const url = await auth.signOut(callOf(visitor), { redirectTo: '/bye' })
    expect(url).toBe(`${ORIGIN}/bye`)
  })

  it('leads on at once where no provider takes part', async () => {
    const { auth, visitor } = await signedIn({}, { logout: 'local' })
    const url = await auth.signOut(callOf(visitor), { redirectTo: '/bye' })
    expect(url).toBe(`${ORIGIN}/bye`)
  })

  it.each([
    ['a link without a ticket', () => ''],
    ['a ticket that was made up', () => '?ticket=eyJhbGciOiJkaXIifQ..a.b.c'],
  ])('is not what %s does', async (_what, query) => {
    const { op, visitor } = await signedIn()
    const answer = await visitor.get(`/signout/provider${query()}`)
    expect(answer.headers.get('location')).toBe(ORIGIN)
    expect(op.count('/revoke')).toBe(0)
    expect(visitor.cookies.has(HINT)).toBe(true)
  })

  it('is not what a ticket of somebody else does, nor an old one', async () => {
    let now = Date.now()
    const op = await createFakeServer({ alg: 'ES256', now: () => now })
    const ports = { fetch: op.fetch, now: () => now }
    const { auth, visitor: ada } = await setUp({ ports }, {}, op)
    await signIn(op, ada)
    const bob = new Visitor(auth.handle)
    await bob.post('/callback/credentials')
    bob.cookies.set('__Secure-siteauth.via', '1')
    const ticketOfBob = await auth.signOut(callOf(bob), { redirectTo: '/bye' })
    const toBye = (await ada.send(ticketOfBob)).headers.get('location')
    expect(toBye).toBe(`${ORIGIN}/bye`)
    expect(ada.cookies.has(HINT)).toBe(true)
    await signIn(op, ada)
    const old = await auth.signOut(callOf(ada))
    now += 120_000
    expect((await ada.send(old)).headers.get('location')).toBe(ORIGIN)
    expect(op.count('/revoke')).toBe(0)
  })
})

function withEndpoint(end_session_endpoint: unknown) {
  return (document: Record<string, unknown>) => ({ ...document, end_session_endpoint })
}
