import { type AuthConfig, createAuth, setEnvDefaults } from '@siteauth/core'
import { MissingSecretError } from '@siteauth/core/errors'
import { decode } from '@siteauth/core/jwt'
import type { OAuthConfig } from '@siteauth/core/providers'
import { describe, expect, it, vi } from 'vitest'
import { recordingLogger, Visitor, warningsOf } from '../visitor.ts'
import { ANN, ORIGIN, passwords, SESSION_COOKIE, signIn } from './application.ts'

const LONG = 'the environment has a secret, too long to guess'
const OTHER = 'another secret that is just as hard to guess'

function applicationIn(env: Record<string, string>, config: Partial<AuthConfig> = {}) {
  const recorded = recordingLogger()
  const auth = createAuth(
    { providers: [passwords()], logger: recorded.logger, ...config },
    { env: { NODE_ENV: 'test', ...env } },
  )
  return { ...auth, ...recorded }
}

async function tokenOf(env: Record<string, string>, config?: Partial<AuthConfig>): Promise<string> {
  const visitor = new Visitor(applicationIn(env, config).handle)
  await signIn(visitor)
  return visitor.cookies.get(SESSION_COOKIE) ?? ''
}

function open(token: string, secret: string) {
  return decode({ token, secret, salt: SESSION_COOKIE })
}

/** An OAuth provider as applications list it, and what it was called with. */
function recordedProvider() {
  const calls: object[] = []
  function provider(options: { clientId?: string; clientSecret?: string }): OAuthConfig<object> {
    calls.push(options)
    return {
      id: 'big-corp',
      name: 'Big Corp',
      type: 'oauth',
      authorization: 'https://corp.example/authorize',
      token: 'https://corp.example/token',
      userinfo: 'https://corp.example/me',
      ...options,
    }
  }
  return { provider, calls }
}

describe('1.1 Environment variables', () => {
  it('1.1 AUTH_SECRET: seals the sessions of an application that sets no secret', async () => {
    const token = await tokenOf({ AUTH_SECRET: LONG })
    expect(await open(token, LONG)).toMatchObject({ sub: ANN.id })
  })

  it('1.1 AUTH_SECRET: gives way to the option', async () => {
    const token = await tokenOf({ AUTH_SECRET: LONG }, { secret: OTHER })
    expect(await open(token, OTHER)).toMatchObject({ sub: ANN.id })
  })

  it('1.1 AUTH_SECRET: its numbered forms go before it, the highest first, for rotation', async () => {
    const env = { AUTH_SECRET: LONG, AUTH_SECRET_1: `${LONG}-1`, AUTH_SECRET_3: `${LONG}-3` }
    expect(await open(await tokenOf(env), `${LONG}-3`)).toMatchObject({ sub: ANN.id })
    const old = await tokenOf({ AUTH_SECRET: LONG })
    const session = await applicationIn(env).getSession({
      headers: { cookie: `${SESSION_COOKIE}=${old}` },
      url: ORIGIN,
    })
    expect(session?.user?.name).toBe('Ann')
  })

  it('1.1 AUTH_SECRET: its legacy name NEXTAUTH_SECRET is read where it is not set', async () => {
    expect(await open(await tokenOf({ NEXTAUTH_SECRET: OTHER }), OTHER)).toBeTruthy()
    const both = { AUTH_SECRET: LONG, NEXTAUTH_SECRET: OTHER }
    expect(await open(await tokenOf(both), LONG)).toBeTruthy()
  })

  it('1.1 AUTH_SECRET: is required in production, and MissingSecretError thrown without it', async () => {
    const auth = applicationIn({ NODE_ENV: 'production', AUTH_URL: ORIGIN })
    await expect(auth.getSession({ headers: {} })).rejects.toBeInstanceOf(MissingSecretError)
    const response = await auth.handle(new Request(`${ORIGIN}/auth/session`))
    expect(response.status).toBe(500)
    expect(auth.errors[0]).toBeInstanceOf(MissingSecretError)
  })

  it('1.1 AUTH_SECRET: set to nothing is not set', async () => {
    const auth = applicationIn({ NODE_ENV: 'production', AUTH_URL: ORIGIN, AUTH_SECRET: '' })
    await expect(auth.getSession({ headers: {} })).rejects.toBeInstanceOf(MissingSecretError)
  })

  it('1.1 AUTH_SECRET: is replaced by a random one in development alone, with a warning', async () => {
    const auth = applicationIn({ NODE_ENV: 'development' })
    const visitor = new Visitor(auth.handle)
    await signIn(visitor)
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    expect(auth.warnings).toContain('generated-secret')
  })

  it('1.1 AUTH_SECRET: of fewer than 32 characters is warned of', async () => {
    const [short, long] = ['x'.repeat(31), 'x'.repeat(32)]
    expect(await warningsOf(applicationIn({ AUTH_SECRET: short }))).toContain('short-secret')
    expect(await warningsOf(applicationIn({ AUTH_SECRET: long }))).not.toContain('short-secret')
  })

  it('1.1 AUTH_URL: is the origin of every URL, whatever the request says', async () => {
    const auth = applicationIn({ AUTH_SECRET: LONG, AUTH_URL: 'https://www.example.com' })
    const request = new Request('http://10.0.0.7:3000/auth/providers', {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    expect(await (await auth.handle(request)).json()).toMatchObject({
      credentials: { callbackUrl: 'https://www.example.com/auth/callback/credentials' },
    })
  })

  it('1.1 AUTH_URL: its legacy name NEXTAUTH_URL is read where it is not set', async () => {
    async function originOf(env: Record<string, string>): Promise<unknown> {
      const auth = applicationIn({ AUTH_SECRET: LONG, ...env })
      const response = await auth.handle(new Request('http://10.0.0.7/auth/providers'))
      return response.json()
    }
    const legacy = { NEXTAUTH_URL: 'https://old.example.com' }
    expect(await originOf(legacy)).toMatchObject({
      credentials: { signinUrl: 'https://old.example.com/auth/signin/credentials' },
    })
    expect(await originOf({ ...legacy, AUTH_URL: 'https://new.example.com' })).toMatchObject({
      credentials: { signinUrl: 'https://new.example.com/auth/signin/credentials' },
    })
  })

  it('1.1 AUTH_URL: its path is the base path where none is configured', async () => {
    const auth = applicationIn({ AUTH_SECRET: LONG, AUTH_URL: `${ORIGIN}/api/auth` })
    const response = await auth.handle(new Request(`${ORIGIN}/api/auth/session`))
    expect(response.status).toBe(200)
  })

  it('1.1 AUTH_URL: that is no URL is a fault that names the variable', async () => {
    const auth = applicationIn({ AUTH_SECRET: LONG, AUTH_URL: 'app.example.com' })
    expect((await auth.handle(new Request(`${ORIGIN}/auth/session`))).status).toBe(500)
    expect(auth.errors[0]?.message).toContain('AUTH_URL')
  })

  it.each([
    ['http://app.example.com', 'production', ['insecure-url']],
    ['http://93.184.216.34', 'production', ['insecure-url']],
    ['https://app.example.com', 'production', []],
    ['http://localhost:3000', 'production', []],
    ['http://10.0.0.7:3000', 'production', []],
    ['http://app:3000', 'production', []],
    ['http://app.example.com', 'development', []],
  ])('1.1 AUTH_URL: %s in %s is warned of: %j', async (AUTH_URL, NODE_ENV, expected) => {
    const auth = applicationIn({ AUTH_SECRET: LONG, AUTH_URL, NODE_ENV })
    expect(await warningsOf(auth)).toEqual(expected)
  })

  it('1.1 AUTH_<PROVIDER>_ID: is the clientId of the provider with that id in upper snake case', async () => {
    const { provider, calls } = recordedProvider()
    const env = { AUTH_SECRET: LONG, AUTH_BIG_CORP_ID: 'our-id' }
    await warningsOf(applicationIn(env, { providers: [provider] }))
    expect(calls.at(-1)).toEqual({ clientId: 'our-id' })
    const without = applicationIn({ AUTH_SECRET: LONG }, { providers: [provider] })
    expect(await warningsOf(without)).toContain('missing-client-id')
  })

  it('1.1 AUTH_<PROVIDER>_SECRET: is the clientSecret of the same provider', async () => {
    const { provider, calls } = recordedProvider()
    const env = { AUTH_SECRET: LONG, AUTH_BIG_CORP_ID: 'our-id', AUTH_BIG_CORP_SECRET: 'our-word' }
    await warningsOf(applicationIn(env, { providers: [provider] }))
    expect(calls.at(-1)).toEqual({ clientId: 'our-id', clientSecret: 'our-word' })
  })

  it('1.1 AUTH_REDIRECT_PROXY_URL: is the default of redirectProxyUrl', () => {
    const env = { AUTH_REDIRECT_PROXY_URL: 'https://stable.example.com/auth' }
    const config: AuthConfig = { providers: [] }
    setEnvDefaults(env, config)
    expect(config.redirectProxyUrl).toBe('https://stable.example.com/auth')
    const own: AuthConfig = { providers: [], redirectProxyUrl: 'https://own.example.com/auth' }
    setEnvDefaults(env, own)
    expect(own.redirectProxyUrl).toBe('https://own.example.com/auth')
  })

  it('1.1 item 1: a provider may be listed as a bare value, which then gets what was inferred', async () => {
    const { provider } = recordedProvider()
    const env = { AUTH_SECRET: LONG, AUTH_BIG_CORP_ID: 'our-id' }
    const auth = applicationIn(env, { providers: [provider] })
    expect(auth.warnings).toEqual([])
    const listed = await (await auth.handle(new Request(`${ORIGIN}/auth/providers`))).json()
    expect(listed).toHaveProperty('big-corp.type', 'oauth')
  })

  it('1.1 item 2: a provider may be called with options, which override the defaults', () => {
    const { provider } = recordedProvider()
    const config: AuthConfig = { providers: [provider({ clientId: 'written-down' })] }
    setEnvDefaults({ AUTH_BIG_CORP_ID: 'inferred', AUTH_BIG_CORP_SECRET: 'our-word' }, config)
    expect(config.providers[0]).toMatchObject({
      clientId: 'written-down',
      clientSecret: 'our-word',
    })
  })

  it('1.1 item 3: the variables are those of the process, loaded by the application', async () => {
    vi.stubEnv('AUTH_SECRET', LONG)
    vi.stubEnv('AUTH_URL', ORIGIN)
    const visitor = new Visitor(createAuth({ providers: [passwords()], logger: {} }).handle)
    await signIn(visitor)
    expect(await open(visitor.cookies.get(SESSION_COOKIE) ?? '', LONG)).toBeTruthy()
  })
})
