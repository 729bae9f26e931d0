import { describe, expect, it, vi } from 'vitest'
import {
  createTestAuth,
  readWithoutRenewal,
  recordingLogger,
  SECRET,
  Visitor,
} from '../../../../test/visitor.ts'
import { createAuth } from '../../api/create-auth.ts'
import { MissingSecretError } from '../../base/errors.ts'
import { Auth } from '../../compat/auth-request.ts'
import type { CredentialsConfig } from '../../providers/credentials.ts'
import type { AuthConfig } from '../options.ts'
import { requireConfig, resolveConfig } from './resolve-config.ts'

const signInAs = (name: string): CredentialsConfig => ({
  id: 'credentials',
  name: 'Password',
  type: 'credentials',
  credentials: {},
  authorize: () => ({ id: name, name }),
})

function page(path: string): Request {
  return new Request(`https://app.example.com/auth${path}`, { headers: { accept: 'text/html' } })
}

/** Every object inside, each with whether it may be changed. */
function frozenParts(value: unknown, seen: Set<unknown> = new Set()): unknown[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const inside = Object.values(value).flatMap(each => frozenParts(each, seen))
  return Object.isFrozen(value) ? [value, ...inside] : inside
}

describe("the application's configuration", () => {
  const full = (): AuthConfig => ({
    secret: [SECRET],
    providers: [
      { ...signInAs('Ann'), options: { credentials: { password: { label: 'Password' } } } },
      {
        id: 'oa',
        name: 'OA',
        type: 'oidc',
        issuer: 'https://idp.example',
        options: { authorization: { params: { scope: 'openid' } } },
      },
    ],
    session: { maxAge: 3600 },
    jwt: { maxAge: 3600 },
    pages: { signIn: '/login' },
    callbacks: { session: ({ session }) => session },
    events: { signIn: () => {} },
    cookies: { sessionToken: { options: { sameSite: 'strict' } } },
    theme: { brandColor: 'red' },
    trustHost: ['app.example.com'],
    trustedOrigins: ['https://www.example.com'],
    logger: recordingLogger().logger,
    experimental: {},
  })

  it('is the same after use as before, and may still be changed', async () => {
    const config = full()
    const shape = JSON.stringify(config)
    const members = new Map(Object.entries(config))
    const auth = createAuth(config, {
      env: { AUTH_OA_ID: 'client', AUTH_URL: 'https://app.example.com' },
    })
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/credentials')
    await visitor.session()
    await visitor.get('/providers')
    await Auth(page('/session'), config)
    expect(JSON.stringify(config)).toBe(shape)
    expect(new Map(Object.entries(config))).toEqual(members)
    for (const [name, value] of members) expect(Reflect.get(config, name)).toBe(value)
    expect(frozenParts(config)).toEqual([])
  })

  it('may be frozen itself', async () => {
    const config = full()
    const freeze = (value: object): void => {
      Object.freeze(value)
      for (const each of Object.values(value)) if (typeof each === 'object') freeze(each)
    }
    freeze(config)
    const response = await createAuth(config, { env: { NODE_ENV: 'test' } }).handle(
      page('/session'),
    )
    expect(response.status).toBe(200)
  })

  it('is decided once: what is changed in it later has no effect', async () => {
    const config = full()
    const auth = createAuth(config, { env: { NODE_ENV: 'test' } })
    config.pages = {}
    Object.assign(config.session ?? {}, { maxAge: 1 })
    const response = await auth.handle(page('/signin'))
    expect(response.headers.get('location')).toContain('/login')
  })

  it('may have null for what is absent, as plain JavaScript does', async () => {
    const absent = {
      session: null,
      jwt: null,
      events: null,
      cookies: null,
      trustHost: null,
    } as never
    const auth = createTestAuth(absent, { AUTH_URL: 'https://app.example.com' })
    expect(await auth.getSession(page('/'))).toBeNull()
    expect((await auth.handle(page('/session'))).status).toBe(200)
  })

  it('comes to something that cannot be changed', () => {
    const config = requireConfig(resolveConfig(full(), { env: { NODE_ENV: 'test' } }))
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.callbacks)).toBe(true)
    expect(Object.isFrozen(config.https)).toBe(true)
    for (const provider of config.providers.values()) expect(Object.isFrozen(provider)).toBe(true)
  })
})

describe('two configurations in one process', () => {
  it('know nothing of each other, however their requests are mixed', async () => {
    const wait = () => new Promise<void>(done => setImmediate(done))
    const make = (name: string, more: Partial<AuthConfig>) => {
      const auth = createTestAuth({
        secret: `the secret of ${name}, which is long enough`,
        providers: [
          {
            ...signInAs(name),
            authorize: async () => {
              await wait()
              return { id: name, name }
            },
          },
        ],
        callbacks: {
          jwt: async ({ token }) => {
            await wait()
            return { ...token, owner: name }
          },
          session: async ({ session, token }) => {
            await wait()
            return { ...session, owner: token['owner'] }
          },
        },
        ...more,
      })
      return { name, auth, visitors: Array.from({ length: 5 }, () => new Visitor(auth.handle)) }
    }
    const sites = [
      make('Ann', {}),
      make('Bob', { session: { maxAge: 60 }, cookies: { sessionToken: { name: 'bobs' } } }),
      make('Cid', { pages: { signIn: '/login' }, useSecureCookies: false }),
    ]
    await Promise.all(
      sites.flatMap(({ name, visitors }) =>
        visitors.map(async visitor => {
          await visitor.post('/callback/credentials')
          for (let read = 0; read < 5; read++) {
            expect(await visitor.session()).toMatchObject({ user: { name }, owner: name })
          }
        }),
      ),
    )
    const [ann, bob, cid] = sites.map(({ visitors }) => [...(visitors[0]?.cookies.keys() ?? [])])
    expect(ann).toContain('__Secure-authjs.session-token')
    expect(bob).toContain('bobs')
    expect(cid).toContain('authjs.session-token')
    for (const { auth } of sites) expect(auth.errors).toEqual([])
  })

  it('do not accept the sessions of each other', async () => {
    const one = createTestAuth({ secret: '1'.repeat(32), providers: [signInAs('Ann')] })
    const two = createTestAuth({ secret: '2'.repeat(32), providers: [signInAs('Bob')] })
    const visitor = new Visitor(one.handle)
    await visitor.post('/callback/credentials')
    const stranger = new Visitor(two.handle)
    for (const [name, value] of visitor.cookies) stranger.cookies.set(name, value)
    expect(await stranger.session()).toBeNull()
  })
})

describe('Auth, which takes the configuration with each request', () => {
  it('resolves it once, and again where a member was replaced', async () => {
    const { logger, warnings } = recordingLogger()
    const config: AuthConfig = { secret: 'short', trustHost: true, providers: [], logger }
    await Auth(page('/session'), config)
    await Auth(page('/session'), config)
    expect(warnings).toEqual(['short-secret'])
    config.pages = { signIn: '/login' }
    const response = await Auth(page('/signin'), config)
    expect(response.headers.get('location')).toContain('/login')
    expect(warnings).toHaveLength(2)
  })
})

describe('a path that differs from what browsers see', () => {
  const env = { AUTH_URL: 'https://x.test/docs/auth' }

  async function send(path: string, config: Partial<AuthConfig> = {}) {
    const auth = createTestAuth({ basePath: '/auth', providers: [signInAs('Ann')], ...config }, env)
    const response = await auth.handle(
      new Request(`http://internal:3000${path}`, { headers: { accept: 'text/html' } }),
    )
    return { response, auth }
  }

  it('is answered at both, with links to the one that browsers see', async () => {
    for (const path of ['/auth/signin', '/docs/auth/signin']) {
      const { response, auth } = await send(path)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(
        'action="https://x.test/docs/auth/callback/credentials"',
      )
      expect(auth.warnings).toEqual([])
    }
  })

  it('is the path of every URL that is told', async () => {
    const { response } = await send('/auth/providers')
    expect(await response.json()).toMatchObject({
      credentials: {
        signinUrl: 'https://x.test/docs/auth/signin/credentials',
        callbackUrl: 'https://x.test/docs/auth/callback/credentials',
      },
    })
  })

  it("is put before the application's own pages", async () => {
    const { response } = await send('/auth/signin', { pages: { signIn: '/login' } })
    expect(response.headers.get('location')).toMatch(/^https:\/\/x\.test\/docs\/login\?/)
  })

  it('may also be known by the framework', async () => {
    const auth = createAuth(
      { secret: SECRET, providers: [], logger: recordingLogger().logger },
      {
        env: { NODE_ENV: 'test', AUTH_URL: 'https://x.test' },
        defaultBasePath: '/api/auth',
        publicPrefix: '/docs',
      },
    )
    const response = await auth.handle(page('/signout').clone())
    expect(response.status).toBe(404)
    const found = await auth.handle(new Request('https://x.test/api/auth/signout'))
    expect(await found.text()).toContain('action="https://x.test/docs/api/auth/signout"')
  })
})

describe('no secret at all', () => {
  it('is a fault in production, and in tests', async () => {
    for (const NODE_ENV of ['production', 'test', '']) {
      const auth = createTestAuth({ secret: '' }, { NODE_ENV, AUTH_URL: 'https://app.example.com' })
      const response = await auth.handle(page('/session'))
      expect(response.status).toBe(500)
      expect(auth.errors[0]).toBeInstanceOf(MissingSecretError)
      await expect(auth.getSession(page('/'))).rejects.toBeInstanceOf(MissingSecretError)
      await expect(readWithoutRenewal(auth, page('/'))).rejects.toBeInstanceOf(MissingSecretError)
    }
  })

  it('is made up in development, with a warning, and stays the same in one process', async () => {
    const make = () =>
      createTestAuth({ secret: '', providers: [signInAs('Ann')] }, { NODE_ENV: 'development' })
    const [one, two] = [make(), make()]
    const visitor = new Visitor(one.handle)
    await visitor.post('/callback/credentials')
    expect(one.warnings).toEqual(['generated-secret'])
    const again = new Visitor(two.handle)
    for (const [name, value] of visitor.cookies) again.cookies.set(name, value)
    expect(await again.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('is made up for nobody who knows the source', async () => {
    const { secrets } = requireConfig(
      resolveConfig(
        { providers: [], logger: recordingLogger().logger },
        { env: { NODE_ENV: 'development' } },
      ),
    )
    expect(secrets).toHaveLength(1)
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(64)
  })

  it('does not make importing a module fail', () => {
    expect(() => createTestAuth({ secret: '', providers: [undefined as never] })).not.toThrow()
  })
})

describe('a fault', () => {
  const broken = { secret: '', providers: [{ ...signInAs('x'), authorize: undefined as never }] }

  it('is explained on the page in development', async () => {
    const config = { ...broken, secret: [SECRET, ''] }
    const auth = createTestAuth(config, { NODE_ENV: 'development' })
    for (const path of ['/signin', '/error', '/signout', '/verify-request']) {
      const response = await auth.handle(page(path))
      const text = await response.text()
      expect(response.status).toBe(500)
      expect(text).toContain('MissingSecret')
      expect(text).toContain('MissingAuthorize')
      expect(text).not.toContain(SECRET)
    }
  })

  it.each(['production', 'test', ''])(
    'is not explained to visitors where NODE_ENV is %j',
    async NODE_ENV => {
      const auth = createTestAuth(broken, { NODE_ENV })
      const response = await auth.handle(page('/signin'))
      const text = await response.text()
      expect(response.status).toBe(500)
      expect(text).toContain('server configuration')
      expect(text).not.toMatch(/MissingSecret|MissingAuthorize|AUTH_SECRET|authorize/)
      expect(auth.errors.length).toBeGreaterThanOrEqual(2)
    },
  )

  it('is a status and a message to programs, and never a session', async () => {
    const auth = createTestAuth(broken)
    for (const path of ['/session', '/csrf', '/providers']) {
      const response = await auth.handle(page(path))
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({ message: expect.stringContaining('configuration') })
    }
    const posted = await auth.handle(
      new Request('https://app.example.com/auth/signin', { method: 'POST' }),
    )
    expect(posted.status).toBe(500)
  })

  it("leads to the application's own error page, unless that is what fails", async () => {
    const auth = createTestAuth({ ...broken, pages: { error: '/oops' } })
    const response = await auth.handle(page('/signin'))
    expect(response.headers.get('location')).toBe(
      'https://app.example.com/oops?error=Configuration',
    )
    const loop = await auth.handle(page('/signin?callbackUrl=/oops'))
    expect(loop.status).toBe(500)
    expect(auth.errors.map(({ name }) => name)).toContain('ErrorPageLoop')
  })

  it('of a provider keeps nobody from being known who is signed in', async () => {
    const visitor = new Visitor(createTestAuth({ providers: [signInAs('Ann')] }).handle)
    await visitor.post('/callback/credentials')
    const auth = createTestAuth({
      providers: [{ ...signInAs('Ann'), authorize: undefined as never }],
    })
    expect((await auth.handle(page('/session'))).status).toBe(500)
    const headers = { cookie: visitor.cookieHeader() }
    const session = await auth.getSession({ headers, url: 'https://app.example.com/' })
    expect(session).toMatchObject({ user: { name: 'Ann' } })
  })

  it('leaves what is not ours to answer alone', async () => {
    const response = await createTestAuth(broken).handle(new Request('https://app.example.com/x'))
    expect(response.status).toBe(404)
  })
})

describe('a warning', () => {
  it('is given once, when an endpoint is first called', async () => {
    const auth = createTestAuth({ secret: 'short', trustHost: true })
    await auth.handle(page('/session'))
    await auth.handle(page('/session'))
    expect(auth.warnings).toEqual(['short-secret'])
  })

  it('is given where AUTH_URL and basePath disagree', async () => {
    const auth = createTestAuth({ basePath: '/auth' }, { AUTH_URL: 'https://x.test/other' })
    await auth.handle(page('/csrf'))
    expect(auth.warnings).toEqual(['env-url-basepath-mismatch'])
  })

  it('is given where everything is logged to the console', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await createAuth(
      { secret: SECRET, providers: [], debug: true },
      { env: { NODE_ENV: 'test' } },
    ).handle(page('/csrf'))
    await vi.waitFor(() => expect(warn.mock.calls.map(String).join()).toContain('debug-enabled'))
    const own = createTestAuth({ debug: true })
    await own.handle(page('/csrf'))
    expect(own.warnings).toEqual([])
  })

  it('is given where two providers have one id', async () => {
    const auth = createTestAuth({ providers: [signInAs('Ann'), signInAs('Bob')] })
    await auth.handle(page('/csrf'))
    expect(auth.warnings).toEqual(['repeated-provider-id'])
  })
})
