import { type AuthConfig, createAuth } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import Google from '@siteauth/core/providers/google'
import type { Profile } from '@siteauth/core/types'
import { createClock, Visitor } from '@siteauth/testing'
import {
  createFakeProvider,
  FAILURES,
  type FakeProvider,
  type FakeProviderOptions,
  type SignInFailure,
  startFakeProvider,
} from '@siteauth/testing/provider'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'

// Other files, which come next, have the same environment.
afterEach(() => void vi.unstubAllEnvs())

/** An application whose only provider is this one. */
function applicationOf(
  provider: FakeProvider,
  more: Partial<AuthConfig> = {},
  own: Partial<OIDCConfig<Profile>> = {},
) {
  const auth = createAuth(
    {
      secret: 'a test secret that is long enough!',
      trustHost: true,
      providers: [provider.provider(own)],
      logger: { error() {}, warn() {}, debug() {} },
      ...more,
    },
    { env: { NODE_ENV: 'test' } },
  )
  return { auth, visitor: new Visitor(auth.handle) }
}

async function world(options: FakeProviderOptions = {}, more: Partial<AuthConfig> = {}) {
  const provider = await createFakeProvider(options)
  return { provider, ...applicationOf(provider, more) }
}

/** To the provider and back. */
async function signIn(
  { provider, visitor }: Pick<Awaited<ReturnType<typeof world>>, 'provider' | 'visitor'>,
  how?: Parameters<FakeProvider['authorize']>[1],
): Promise<Response> {
  const started = await visitor.post('/signin/fake')
  return visitor.send(provider.authorize(started.headers.get('location') ?? '', how).href)
}

describe('a fake provider', () => {
  it.each(['ES256', 'RS256'] as const)('signs people in, with %s', async algorithm => {
    const context = await world({ algorithm })
    await signIn(context)
    expect(await context.visitor.session()).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@example.com' },
    })
  })

  it('signs in whoever a test names', async () => {
    const context = await world({
      people: [
        { sub: '1', name: 'One' },
        { sub: '2', name: 'Two' },
      ],
    })
    await signIn(context, { as: '2' })
    expect(await context.visitor.session()).toMatchObject({ user: { name: 'Two' } })
    await signIn(context, { as: { sub: '3', name: 'Three' } })
    expect(await context.visitor.session()).toMatchObject({ user: { name: 'Three' } })
  })

  it('says whom it knows, if it does not know somebody', async () => {
    await expect(signIn(await world(), { as: 'eve' })).rejects.toThrow('only: ada, ben')
  })

  const checked = Object.keys(FAILURES).filter(name => name !== 'other-subject') as SignInFailure[]

  it.each(checked)('has a sign-in fail on demand: %s', async failure => {
    const context = await world()
    context.provider.fail(failure)
    await signIn(context)
    expect(await context.visitor.session()).toBeNull()
    context.provider.recover()
    await signIn(context)
    expect(await context.visitor.session()).not.toBeNull()
  })

  it('tells of somebody else where the profile comes from userinfo', async () => {
    const provider = await createFakeProvider()
    const context = { provider, ...applicationOf(provider, {}, { idToken: false }) }
    await signIn(context, { failure: 'other-subject' })
    expect(await context.visitor.session()).toBeNull()
    await signIn(context)
    expect(await context.visitor.session()).not.toBeNull()
  })

  it.each([
    [{ endpoint: 'token', status: 500 }],
    [{ endpoint: 'jwks', status: 404 }],
    [{ status: 503 }],
  ] as const)('has endpoints in trouble: %j', async failure => {
    const context = await world()
    const started = await context.visitor.post('/signin/fake')
    const back = context.provider.authorize(started.headers.get('location') ?? '')
    context.provider.fail(failure)
    await context.visitor.send(back.href)
    expect(await context.visitor.session()).toBeNull()
  })

  it('never answers, until the caller gives up', async () => {
    const provider = await createFakeProvider()
    provider.fail({ endpoint: 'discovery', delayMilliseconds: Infinity })
    const caller = new AbortController()
    const url = `${provider.issuer}/.well-known/openid-configuration`
    const answer = provider.fetch(url, { signal: caller.signal })
    caller.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  })

  it('accepts a code once, with its verifier and its redirect_uri', async () => {
    const provider = await createFakeProvider({ clientSecret: null })
    const url = new URL(`${provider.issuer}/authorize`)
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' // RFC 7636, appendix B
    url.search = new URLSearchParams({
      redirect_uri: 'https://app.test/cb',
      code_challenge: challenge,
    }).toString()
    const exchange = async (code: string, more: Record<string, string> = {}) => {
      const body = new URLSearchParams({
        code,
        redirect_uri: 'https://app.test/cb',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        ...more,
      })
      return (await provider.fetch(`${provider.issuer}/token`, { method: 'POST', body })).status
    }
    const codeOf = () => provider.authorize(url).searchParams.get('code') ?? ''
    const code = codeOf()
    expect(await exchange(code)).toBe(200)
    expect(await exchange(code)).toBe(400)
    expect(await exchange(codeOf(), { code_verifier: 'another' })).toBe(400)
    expect(await exchange(codeOf(), { redirect_uri: 'https://evil.test/cb' })).toBe(400)
  })

  it('refuses an application that does not know the secret', async () => {
    const provider = await createFakeProvider()
    const context = { provider, ...applicationOf(provider, {}, { clientSecret: 'a wrong one' }) }
    await signIn(context)
    expect(await context.visitor.session()).toBeNull()
  })

  it('refreshes tokens, and each refresh token works once', async () => {
    const clock = createClock()
    const context = await world(
      { now: clock.now, tokenLifetimeSeconds: 60 },
      { adapter: MemoryAdapter(), ports: { now: clock.now } },
    )
    const { provider, auth, visitor } = context
    await signIn(context)
    const request = () => ({
      headers: { cookie: visitor.cookieHeader() },
      url: 'https://app.example.com/',
    })
    const { accessToken: first } = await auth.accounts.getAccessToken(request(), 'fake')
    clock.advance({ minutes: 2 })
    const { accessToken: second } = await auth.accounts.getAccessToken(request(), 'fake')
    expect(second).not.toBe(first)
    const spent = provider.requests.at(-1)?.body
    const again = { method: 'POST', body: spent, headers: provider.requests.at(-1)?.headers }
    const answer = await provider.fetch(`${provider.issuer}/token`, again as RequestInit)
    expect(answer.status).toBe(400)
    // Somebody has a copy: whatever was granted is over.
    const headers = { authorization: `Bearer ${second}` }
    expect((await provider.fetch(`${provider.issuer}/userinfo`, { headers })).status).toBe(401)
  })

  it('ends sessions here when somebody signs out there', async () => {
    const provider = await createFakeProvider()
    const { auth, visitor } = applicationOf(
      provider,
      { adapter: MemoryAdapter(), session: { strategy: 'jwt' } },
      { backChannelLogout: true },
    )
    await signIn({ provider, visitor })
    const body = new URLSearchParams({ logout_token: await provider.logoutToken({ sub: 'ada' }) })
    const url = 'https://app.example.com/auth/backchannel-logout/fake'
    expect((await auth.handle(new Request(url, { method: 'POST', body }))).status).toBe(200)
    expect(await visitor.session()).toBeNull()
  })

  it.each(['', '/auth/error?error=Configuration', 'https://op.test/authorize?redirect_uri=x'])(
    'says what it expects, where it is not sent to: %j',
    async url => {
      const { authorize } = await createFakeProvider()
      expect(() => authorize(url)).toThrow('authorization URL with a redirect_uri')
    },
  )

  it('says so if it is asked for another server', async () => {
    const { fetch } = await createFakeProvider()
    await expect(fetch('https://api.example.com/')).rejects.toThrow('https://api.example.com')
  })

  it('refuses to run in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    await expect(createFakeProvider()).rejects.toThrow('NODE_ENV')
    await expect(createFakeProvider({ allowInProduction: true })).resolves.toBeDefined()
  })
})

describe('a fake provider as a server', () => {
  const running: { close(): Promise<void> }[] = []
  afterEach(() => Promise.all(running.splice(0).map(each => each.close())))

  async function start(options: Parameters<typeof startFakeProvider>[0] = {}) {
    const provider = await startFakeProvider(options)
    running.push(provider)
    const { issuer, clientId, clientSecret } = provider
    const own = { id: 'fake', name: 'Fake', type: 'oidc', issuer, clientId, clientSecret } as const
    const { visitor } = applicationOf(provider, { providers: [own] })
    const started = await visitor.post('/signin/fake')
    return { provider, visitor, location: started.headers.get('location') ?? '' }
  }

  /** What a browser does with the page: a button. */
  async function press(location: string, pressed: Record<string, string>): Promise<string> {
    const text = await (await fetch(location)).text()
    const fields = new URLSearchParams(pressed)
    for (const [, name = '', value = ''] of text.matchAll(
      /hidden" name="(\w+)" value="([^"]*)">/g,
    )) {
      fields.append(name, value.replaceAll('&amp;', '&'))
    }
    const answer = await fetch(location, { method: 'POST', body: fields, redirect: 'manual' })
    return answer.headers.get('location') ?? ''
  }

  it('signs in whoever is chosen on its page', async () => {
    const { visitor, location } = await start()
    await visitor.send(await press(location, { as: 'ben' }))
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ben Example' } })
  })

  it('has that sign-in fail which is chosen to', async () => {
    const { visitor, location } = await start()
    await visitor.send(await press(location, { as: 'ben', failure: 'wrong-nonce' }))
    expect(await visitor.session()).toBeNull()
  })

  it('stands in for a built-in provider by its issuer alone', async () => {
    const { provider } = await start({ automatic: true })
    const { issuer, clientId, clientSecret } = provider
    const { visitor } = applicationOf(provider, {
      providers: [Google({ issuer, clientId, clientSecret })],
    })
    const started = await visitor.post('/signin/google')
    const answer = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' })
    await visitor.send(answer.headers.get('location') ?? '')
    expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  it('needs no page where it is automatic', async () => {
    const { visitor, location } = await start({ automatic: true })
    const answer = await fetch(location, { redirect: 'manual' })
    await visitor.send(answer.headers.get('location') ?? '')
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  it('sends people back who sign out', async () => {
    const { provider } = await start()
    const to = new URLSearchParams({ post_logout_redirect_uri: 'http://localhost/bye', state: 's' })
    const answer = await fetch(`${provider.issuer}/logout?${to}`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('http://localhost/bye?state=s')
  })
})
