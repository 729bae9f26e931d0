import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, requestOf, tokenOf } from './people.ts'
import { API } from './rotating-provider.ts'

const HOUR = 3_600_000

describe('GET access-token', () => {
  it('is closed unless the application opens it', async () => {
    const { signIn } = createWorld()
    const ada = await signIn('ada')
    const response = await ada.get('/access-token/op')
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('access-ada')
  })

  it('gives the token to scripts of the application, for no cache to keep', async () => {
    const { signIn } = createWorld({ account: { exposeTokens: ['op'] } })
    const ada = await signIn('ada')
    const response = await ada.get('/access-token/op')
    expect(await response.json()).toMatchObject({ accessToken: 'access-ada-1', scopes: ['read'] })
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('never gives a refresh token', async () => {
    const { clock, signIn } = createWorld({ account: { exposeTokens: ['op'] } })
    const ada = await signIn('ada')
    clock.now += HOUR
    expect(await (await ada.get('/access-token/op')).text()).not.toContain('refresh')
  })

  it('is open for the providers that are named, and for no others', async () => {
    const world = createWorld({ account: { exposeTokens: ['other'] } })
    const auth = world.node({
      providers: [world.provider.config('op'), world.provider.config('other')],
    })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect((await ada.get('/access-token/op')).status).toBe(404)
    expect((await ada.get('/access-token/other')).status).toBe(404)
  })

  it('says by code and status why there is none', async () => {
    const { auth, clock, provider, signIn } = createWorld({ account: { exposeTokens: ['op'] } })
    const stranger = new Visitor(auth.handle)
    const ada = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    const answerTo = async (visitor: Visitor, query = '') => {
      const response = await visitor.get(`/access-token/op${query}`)
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await answerTo(stranger)).toEqual([401, 'not_signed_in'])
    expect(await answerTo(ada, '?accountId=eve')).toEqual([404, 'no_account'])
    expect(await answerTo(ada)).toEqual([403, 'invalid_grant'])
    expect(await answerTo(ada, '?minValiditySeconds=-1')).toEqual([400, undefined])
    expect(auth.errors).toEqual([])
  })
})

describe('GET access-token, asked by others', () => {
  const SCRIPT = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }

  it('lets no other origin read the answer, nor any cache or frame keep it', async () => {
    const { auth, signIn } = createWorld({ account: { exposeTokens: ['op'] } })
    const ada = await signIn('ada')
    for (const visitor of [ada, new Visitor(auth.handle)]) {
      const { headers } = await visitor.get('/access-token/op', SCRIPT)
      const allowed = [...headers.keys()].filter(name => name.startsWith('access-control-'))
      expect(allowed).toEqual([])
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toContain('application/json')
    }
  })

  it('answers no other method, and so no preflight', async () => {
    const { signIn } = createWorld({ account: { exposeTokens: ['op'] } })
    const ada = await signIn('ada')
    for (const method of ['POST', 'OPTIONS', 'PUT']) {
      const response = await ada.send('/access-token/op', { method, headers: SCRIPT })
      expect(response.status).toBeGreaterThanOrEqual(300)
      expect(await response.text()).not.toContain('access-ada')
    }
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows neither a provider nor an account called %s',
    async name => {
      const { auth, signIn } = createWorld({ account: { exposeTokens: ['op'] } })
      const ada = await signIn('ada')
      expect((await ada.get(`/access-token/${name}`)).ok).toBe(false)
      expect((await ada.get(`/access-token/op?accountId=${name}`)).status).toBe(404)
      await expect(auth.accounts.getAccessToken(requestOf(ada), name)).rejects.toThrow(
        'no OAuth provider',
      )
      const account = { provider: name, accountId: name }
      expect(await auth.accounts.unlink(requestOf(ada), account)).toMatchObject({ unlinked: false })
    },
  )
})

describe('providerFetch', () => {
  it('adds the token of whoever is signed in', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    const response = await auth.accounts.fetch(requestOf(ada), 'op', API)
    expect(await response.json()).toMatchObject({ id: 'ada' })
  })

  it('gets another token and asks once more where the provider refuses', async () => {
    const { auth, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.forgetAccessTokens()
    const init = { method: 'POST', body: 'once more' }
    const response = await auth.accounts.fetch(requestOf(ada), 'op', API, init)
    expect(await response.json()).toMatchObject({ id: 'ada', sent: 'once more' })
    expect(provider.refreshes()).toBe(1)
  })

  it('asks no third time, and shows what the provider says', async () => {
    const { auth, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.forgetAccessTokens()
    provider.endGrants()
    const response = await auth.accounts.fetch(requestOf(ada), 'op', API)
    expect(response.status).toBe(401)
    expect(provider.refreshes()).toBe(1)
  })

  it('sends no token where it could be read on the way', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    const asked = auth.accounts.fetch(requestOf(ada), 'op', 'http://op.test/me')
    await expect(asked).rejects.toThrow('expected an https URL')
  })
})

describe('scopes for later', () => {
  it('are asked for when somebody signs in for them, and their token is used at once', async () => {
    const world = createWorld()
    const scoped = {
      ...world.provider.config(),
      authorization: { url: 'https://op.test/authorize', params: { scope: 'read' } },
      laterScopes: ['write'],
    }
    const auth = world.node({ providers: [scoped] })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect(await tokenOf(auth, ada)).toBe('access-ada-1')
    const wanted = await auth.signIn(requestOf(ada), 'op', {}, { scope: 'read write admin' })
    expect(new URL(wanted).searchParams.get('scope')).toBe('read write')
    world.provider.ways.scope = 'read write'
    await world.signIn('ada', { visitor: ada })
    expect(await auth.accounts.getAccessToken(requestOf(ada), 'op')).toMatchObject({
      accessToken: 'access-ada-2',
      scopes: ['read', 'write'],
    })
  })
})

describe('an unknown provider', () => {
  it('is named, with those that there are', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    const asked = auth.accounts.getAccessToken(requestOf(ada), 'gogle')
    await expect(asked).rejects.toThrow('no OAuth provider "gogle". The configured ones are: op')
  })
})
