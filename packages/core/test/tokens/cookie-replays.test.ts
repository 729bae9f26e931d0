import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, keepCookies, requestOf, tokenOf } from './people.ts'

const HOUR = 3_600_000
const COOKIE = '__Host-siteauth.tokens.op'

function withoutStore(config: Parameters<typeof createWorld>[0] = {}) {
  return createWorld(
    { adapter: undefined, account: { storeTokensInCookie: true }, ...config },
    'jwt',
  )
}

/** The same browser, with the cookies it has now, whatever comes later: a request that is slow. */
function slowRequest(visitor: Visitor): Visitor {
  const copy = new Visitor(async () => new Response())
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

describe('requests that bring a cookie of a moment ago', () => {
  it('get a token that is good, however often there was a newer one since', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    provider.ways.expiresIn = 4
    const ada = await signIn('ada')
    const slow = slowRequest(ada)
    for (const token of ['access-ada-2', 'access-ada-3']) {
      clock.now += 5000
      expect(await tokenOf(auth, ada)).toBe(token)
    }
    expect(await tokenOf(auth, slow)).toBe('access-ada-3')
    clock.now += 5000
    expect(await tokenOf(auth, slowRequest(slow))).toBe('access-ada-4')
  })

  it('get another token where the provider does not rotate, and theirs has expired', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    Object.assign(provider.ways, { rotates: false, expiresIn: 4 })
    const ada = await signIn('ada')
    const slow = slowRequest(ada)
    clock.now += 5000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    clock.now += 5000
    expect(await tokenOf(auth, slow)).toBe('access-ada-3')
  })

  it('get no expired token where no cookie can be set', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    provider.ways.expiresIn = 4
    const ada = await signIn('ada')
    const slow = slowRequest(ada)
    clock.now += 5000
    await tokenOf(auth, ada)
    clock.now += 5000
    expect(await tokenOf(auth, slow, { canSetCookies: false })).toBe('store_read_only')
  })

  it('do not bring back a refresh token by a sign-in that brought none', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    const ada = await signIn('ada')
    clock.now += HOUR
    // What the refresh answers comes to the browser before what the sign-in does, which had begun earlier.
    const refreshed = await auth.accounts.getAccessToken(requestOf(ada), 'op')
    provider.ways.givesRefreshTokens = false
    await signIn('ada', { visitor: ada })
    expect(refreshed.accessToken).toBe('access-ada-2')
    provider.ways.givesRefreshTokens = true
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).not.toBe('invalid_grant')
  })
})

it('a provider that gives refresh tokens in turns keeps nobody waiting for ever', async () => {
  const { auth, clock, provider, signIn } = withoutStore()
  const ada = await signIn('ada')
  const slow = slowRequest(ada)
  const turns = [crypto.randomUUID(), crypto.randomUUID()]
  let number = 0
  provider.ways.answer = async () =>
    Response.json({
      access_token: `turn ${++number}`,
      refresh_token: turns[number % 2],
      expires_in: 4,
    })
  for (let turn = 1; turn < 5; turn++) {
    clock.now += turn === 1 ? HOUR : 5000
    expect(await tokenOf(auth, ada)).toBe(`turn ${turn}`)
  }
  expect(await tokenOf(auth, slow)).toMatch(/^turn/)
})

describe('a provider', () => {
  it('that failed is left alone for a while', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    const ada = await signIn('ada')
    provider.ways.rotates = false
    provider.ways.answer = async () => new Response('busy', { status: 503 })
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    expect(provider.refreshes()).toBe(1)
    provider.ways.answer = undefined
    clock.now += 5000
    expect(await tokenOf(auth, ada)).toMatch(/^access-ada/)
  })

  it('that ended a grant is asked once, and the application told once, by all who come at once', async () => {
    let told = 0
    const { auth, clock, provider, signIn } = withoutStore({
      events: { accountError: () => void told++ },
    })
    const ada = await signIn('ada')
    const slow = slowRequest(ada)
    provider.endGrants()
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    clock.now += 1000
    expect(await tokenOf(auth, slow)).toBe('invalid_grant')
    expect([told, provider.refreshes()]).toEqual([1, 1])
  })
})

describe('accounts.fetch', () => {
  const url = 'https://op.test/me'

  it('keeps that a grant has ended, though the caller sees what the provider says', async () => {
    const { auth, clock, provider, signIn } = withoutStore({
      account: { storeTokensInCookie: true, sessionError: true },
    })
    const ada = await signIn('ada')
    provider.forgetAccessTokens()
    provider.endGrants()
    const request = requestOf(ada)
    const response = await auth.accounts.fetch(request, 'op', url)
    expect(response.status).toBe(401)
    keepCookies(ada, auth.takeSetCookies(request))
    expect(await ada.session()).toMatchObject({ error: 'RefreshTokenError' })
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    expect(provider.refreshes()).toBe(1)
  })
})

describe('a cookie with tokens', () => {
  async function withLongTokens() {
    const world = withoutStore()
    world.provider.ways.answer = async () =>
      Response.json({ access_token: crypto.randomUUID().repeat(200), refresh_token: 'r' })
    const auth = world.node({
      providers: [{ ...world.provider.config(), userinfo: { request: () => ({ id: 'ada' }) } }],
    })
    const visit = () => world.signIn('ada', { visitor: new Visitor(auth.handle) })
    return { auth, one: await visit(), other: await visit() }
  }

  it('that is cut, mixed or doubled is none', async () => {
    const { auth, one, other } = await withLongTokens()
    expect(one.cookies.has(`${COOKIE}.1`)).toBe(true)
    const cut = slowRequest(one)
    cut.cookies.delete(`${COOKIE}.1`)
    const mixed = slowRequest(one)
    mixed.cookies.set(`${COOKIE}.1`, other.cookies.get(`${COOKIE}.1`) ?? '')
    const shifted = slowRequest(one)
    shifted.cookies.set(COOKIE, one.cookies.get(`${COOKIE}.0`) ?? '')
    for (const broken of [cut, mixed, shifted]) {
      expect(await tokenOf(auth, broken)).toBe('no_account')
    }
  })

  it('is not set where servers would refuse all requests that bring it', async () => {
    const world = withoutStore()
    let length = 1000
    world.provider.ways.answer = async () =>
      Response.json({ access_token: 'a'.repeat(length), refresh_token: crypto.randomUUID() })
    const auth = world.node({
      providers: [{ ...world.provider.config(), userinfo: { request: () => ({ id: 'ada' }) } }],
    })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect(ada.cookies.has(COOKIE)).toBe(true)
    length = 50_000
    await world.signIn('ada', { visitor: ada })
    expect([...ada.cookies.keys()].filter(name => name.startsWith(COOKIE))).toEqual([])
    expect(auth.warnings).toContain('tokens-too-large')
    expect(await ada.session()).not.toBeNull()
  })

  it('is no part of that of a provider whose name is longer', async () => {
    const world = withoutStore()
    const auth = world.node({
      providers: [world.provider.config('op'), world.provider.config('op.0')],
    })
    const ada = await world.signIn('ada', { id: 'op.0', visitor: new Visitor(auth.handle) })
    await world.signIn('eve', { id: 'op', visitor: ada })
    expect([...ada.cookies.keys()].filter(name => name.includes('tokens'))).toEqual([COOKIE])
    expect(await tokenOf(auth, ada, { provider: 'op.0' })).toBe('no_account')
  })
})

describe('session.error', () => {
  it('of one person is none of the next who signs in there', async () => {
    const account = { storeTokensInCookie: true, sessionError: true, exposeTokens: ['op'] }
    const { clock, provider, signIn } = withoutStore({ account })
    const browser = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    await browser.get('/access-token/op')
    expect(await browser.session()).toMatchObject({ error: 'RefreshTokenError' })
    await browser.post('/signout')
    expect([...browser.cookies.keys()].filter(name => name.includes('siteauth.token'))).toEqual([])
    await signIn('eve', { visitor: browser })
    expect(await browser.session()).not.toHaveProperty('error')
  })
})
