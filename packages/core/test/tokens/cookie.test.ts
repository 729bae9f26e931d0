import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, keepCookies, requestOf, tokenOf } from './people.ts'

const HOUR = 3_600_000
const COOKIE = '__Host-siteauth.tokens.op'

/** An application without a store. */
function withoutStore(config: Parameters<typeof createWorld>[0] = {}) {
  return createWorld(
    { adapter: undefined, account: { storeTokensInCookie: true }, ...config },
    'jwt',
  )
}

describe('without a store', () => {
  it('nothing is kept unless the application wants it', async () => {
    const { auth, signIn } = withoutStore({ account: {} })
    const ada = await signIn('ada')
    expect([...ada.cookies.keys()].filter(name => name.includes('tokens'))).toEqual([])
    expect(await tokenOf(auth, ada)).toBe('tokens_not_stored')
  })

  it('tokens are kept in a cookie that says nothing, and refreshed there', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    const ada = await signIn('ada')
    expect(ada.cookies.get(COOKIE)).toMatch(/^ey/)
    expect(await tokenOf(auth, ada)).toBe('access-ada-1')
    for (let time = 2; time < 5; time++) {
      clock.now += HOUR
      expect(await tokenOf(auth, ada)).toBe(`access-ada-${time}`)
    }
    expect(provider.refreshes()).toBe(3)
  })

  it('many requests that bring one refresh token get what it was exchanged for', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    const ada = await signIn('ada')
    clock.now += HOUR
    const asked = Array.from({ length: 50 }, () =>
      auth.accounts.getAccessToken(requestOf(ada), 'op'),
    )
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ accessToken }) => accessToken))).toEqual(
      new Set(['access-ada-2']),
    )
    // One that was under way comes a little later, with the old cookie.
    clock.now += 5000
    const request = requestOf(ada)
    const late = await auth.accounts.getAccessToken(request, 'op')
    expect(late).toMatchObject({ accessToken: 'access-ada-2' })
    expect(auth.takeSetCookies(request)).toHaveLength(1)
    expect(provider.refreshes()).toBe(1)
  })

  it('nothing is exchanged where no cookie can be set', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    const ada = await signIn('ada')
    const here = { canSetCookies: false }
    clock.now += HOUR - 10_000
    expect(await tokenOf(auth, ada, here)).toBe('access-ada-1') // for ten seconds yet
    clock.now += 10_000
    expect(await tokenOf(auth, ada, here)).toBe('store_read_only')
    expect(provider.refreshes()).toBe(0)
  })

  it('a page that is rendered meanwhile gets what the proxy has just exchanged', async () => {
    const { auth, clock, signIn } = withoutStore()
    const ada = await signIn('ada')
    clock.now += HOUR
    await auth.accounts.getAccessToken(requestOf(ada), 'op')
    expect(await tokenOf(auth, ada, { canSetCookies: false })).toBe('access-ada-2')
  })

  it('a grant that has ended is told of once, and signs nobody out', async () => {
    let told = 0
    const { auth, clock, provider, signIn } = withoutStore({
      account: { storeTokensInCookie: true, exposeTokens: ['op'] },
      events: { accountError: () => void told++ },
    })
    const ada = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    expect((await ada.get('/access-token/op')).status).toBe(403)
    expect((await ada.get('/access-token/op')).status).toBe(403)
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    expect(provider.refreshes()).toBe(1)
    expect(told).toBe(1)
    expect(await ada.session()).not.toBeNull()
  })

  it('a token that is too long for one cookie is spread over several', async () => {
    const world = withoutStore()
    const { provider } = world
    provider.ways.answer = async () =>
      Response.json({ access_token: 'a'.repeat(6000), token_type: 'bearer', refresh_token: 'r' })
    const auth = world.node({
      providers: [{ ...provider.config(), userinfo: { request: () => ({ id: 'ada' }) } }],
    })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect([...ada.cookies.keys()]).toEqual(expect.arrayContaining([`${COOKIE}.0`, `${COOKIE}.1`]))
    expect(await tokenOf(auth, ada)).toBe('a'.repeat(6000))
    await ada.post('/signout')
    expect([...ada.cookies.keys()].filter(name => name.startsWith(COOKIE))).toEqual([])
  })

  it('a refresh token outlives a sign-in that brings none', async () => {
    const { auth, clock, provider, signIn } = withoutStore()
    provider.ways.rotates = false
    const ada = await signIn('ada')
    provider.ways.givesRefreshTokens = false
    await signIn('ada', { visitor: ada })
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-3')
  })
})

describe('a cookie with tokens', () => {
  it('beside the session of somebody else is of no use', async () => {
    const { auth, signIn } = withoutStore()
    const ada = await signIn('ada')
    const eve = await signIn('eve')
    eve.cookies.set(COOKIE, ada.cookies.get(COOKIE) ?? '')
    expect(await tokenOf(auth, eve)).toBe('no_account')
  })

  it('without a session is of no use', async () => {
    const { auth, signIn } = withoutStore()
    const ada = await signIn('ada')
    const thief = new Visitor(auth.handle)
    thief.cookies.set(COOKIE, ada.cookies.get(COOKIE) ?? '')
    expect(await tokenOf(auth, thief)).toBe('not_signed_in')
  })

  it('under the name of another provider is of no use', async () => {
    const world = withoutStore()
    const auth = world.node({
      providers: [world.provider.config('op'), world.provider.config('other')],
    })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    ada.cookies.set('__Host-siteauth.tokens.other', ada.cookies.get(COOKIE) ?? '')
    expect(await tokenOf(auth, ada, { provider: 'other' })).toBe('no_account')
  })

  it('goes when somebody else signs in, and when anybody signs out', async () => {
    const world = withoutStore()
    const auth = world.node({
      providers: [world.provider.config('op'), world.provider.config('other')],
    })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    await world.signIn('eve', { id: 'other', visitor: ada })
    const kept = () => [...ada.cookies.keys()].filter(name => name.includes('tokens'))
    expect(kept()).toEqual(['__Host-siteauth.tokens.other'])
    await ada.post('/signout')
    expect(kept()).toEqual([])
  })

  it('is for this host and for no script', async () => {
    const { auth, clock, signIn } = withoutStore()
    const ada = await signIn('ada')
    clock.now += HOUR
    const request = requestOf(ada)
    await auth.accounts.getAccessToken(request, 'op')
    const setCookies = auth.takeSetCookies(request)
    expect(setCookies).toHaveLength(1)
    expect(setCookies[0]).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
    keepCookies(ada, setCookies)
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
  })
})

describe('session.error', () => {
  for (const [kept, config] of [
    ['a store', {}],
    ['a cookie', { adapter: undefined }],
  ] as const) {
    it(`says that somebody has to sign in again, until they do: tokens in ${kept}`, async () => {
      const account = { storeTokensInCookie: true, sessionError: true, exposeTokens: ['op'] }
      const { clock, provider, signIn } = createWorld({ ...config, account }, 'jwt')
      const ada = await signIn('ada')
      provider.endGrants()
      clock.now += HOUR
      await ada.get('/access-token/op')
      expect(await ada.session()).toMatchObject({ error: 'RefreshTokenError', user: {} })
      await signIn('ada', { visitor: ada })
      expect(await ada.session()).not.toHaveProperty('error')
    })
  }

  it('is not there unless the application wants it', async () => {
    const { clock, provider, signIn } = createWorld({ account: { exposeTokens: ['op'] } })
    const ada = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    await ada.get('/access-token/op')
    expect(await ada.session()).not.toHaveProperty('error')
  })

  it('waits for the response after the error, if the application sends the cookies itself', async () => {
    const { auth, clock, provider, signIn } = createWorld({ account: { sessionError: true } })
    const ada = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    const request = requestOf(ada)
    const asked = auth.accounts.getAccessToken(request, 'op')
    await expect(asked).rejects.toMatchObject({ code: 'invalid_grant' })
    const setCookies = [expect.stringMatching(/^__Host-siteauth\.token-error=1; .*HttpOnly/)]
    expect(auth.takeSetCookies(request)).toEqual(setCookies)
  })
})
