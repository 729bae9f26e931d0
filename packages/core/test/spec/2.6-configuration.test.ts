import { type AuthConfig, createAuth, skipCSRFCheck } from '@siteauth/core'
import { ExperimentalFeatureNotEnabled, UntrustedHost } from '@siteauth/core/errors'
import { decode, encode } from '@siteauth/core/jwt'
import type { Provider } from '@siteauth/core/providers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordingLogger, SECRET, Visitor, warningsOf } from '../visitor.ts'
import {
  ANN,
  CALLBACK_COOKIE,
  CSRF_COOKIE,
  configFor,
  createApplication,
  everybodyIs,
  ORIGIN,
  passwords,
  SESSION_COOKIE,
  STRATEGIES,
  signedIn,
  signIn,
  writtenCookie,
  writtenCookies,
} from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

const DAY = 86_400

function ask(
  config: Partial<AuthConfig>,
  path: string,
  env: Record<string, string> = {},
): Promise<Response> {
  return createApplication(config, env).handle(new Request(ORIGIN + path))
}

describe('2.6 Configuration object', () => {
  describe('providers', () => {
    it('2.6 providers: defaults to none', async () => {
      expect(await (await ask({ providers: [] }, '/auth/providers')).json()).toEqual({})
    })

    it('2.6 providers: are listed in the order they are given, built-in ones and own objects', async () => {
      const own: Provider = {
        id: 'voucher',
        name: 'Voucher',
        type: 'credentials',
        credentials: { code: { label: 'Code' } },
        authorize: () => ({ id: '1', name: 'Bearer of a voucher' }),
      }
      const application = createApplication({ providers: [own, passwords()] })
      const visitor = application.visitor()
      expect(Object.keys((await (await visitor.get('/providers')).json()) as object)).toEqual([
        'voucher',
        'credentials',
      ])
      await visitor.post('/callback/voucher')
      expect(await visitor.session()).toMatchObject({ user: { name: 'Bearer of a voucher' } })
    })

    it('2.6 providers: of two with one id the first is used, and a warning says so', async () => {
      const application = createApplication({
        providers: [passwords(), passwords()],
      })
      const visitor = new Visitor(application.handle)
      expect(await (await visitor.get('/providers')).json()).toMatchObject({
        credentials: { name: 'Credentials' },
      })
      expect(application.warnings).toContain('repeated-provider-id')
    })
  })

  describe('adapter', () => {
    it('2.6 adapter: defaults to none, and nothing is stored', async () => {
      const visitor = await signedIn(createApplication())
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 adapter: is where sessions are stored', async () => {
      const { adapter, sessions } = memoryAdapter([ANN])
      const visitor = await signedIn(createApplication({ adapter }))
      expect([...sessions.values()]).toEqual([
        {
          sessionToken: visitor.cookies.get(SESSION_COOKIE),
          userId: ANN.id,
          expires: new Date('2030-01-31T00:00:00.000Z'),
        },
      ])
    })

    it('2.6 adapter: may be an instance of a class', async () => {
      const { adapter } = memoryAdapter([ANN])
      class Store {
        readonly inner = adapter
      }
      for (const [name, method] of Object.entries(adapter)) {
        Object.defineProperty(Store.prototype, name, {
          value(this: Store, ...args: never[]) {
            return Reflect.apply(method, this.inner, args)
          },
        })
      }
      const visitor = await signedIn(createApplication({ adapter: new Store() as object }))
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 adapter: that lacks methods is a fault that names them', async () => {
      const { adapter } = memoryAdapter([ANN])
      const { deleteSession: _, ...rest } = adapter
      const application = createApplication({ adapter: rest })
      await expect(application.getSession({ headers: {} })).rejects.toThrow('deleteSession')
    })
  })

  describe('basePath', () => {
    it('2.6 basePath: defaults to /auth', async () => {
      expect((await ask({}, '/auth/session')).status).toBe(200)
      expect((await ask({}, '/api/auth/session')).status).toBe(404)
    })

    it('2.6 basePath: is where the endpoints are', async () => {
      const config = { basePath: '/api/login' }
      expect((await ask(config, '/api/login/session')).status).toBe(200)
      expect((await ask(config, '/auth/session')).status).toBe(404)
      expect(await (await ask(config, '/api/login/providers')).json()).toMatchObject({
        credentials: { callbackUrl: `${ORIGIN}/api/login/callback/credentials` },
      })
    })

    it('2.6 basePath: may be given by the framework as its own default', async () => {
      const auth = createAuth(
        { providers: [], secret: SECRET, logger: {} },
        { env: { NODE_ENV: 'test' }, defaultBasePath: '/api/auth' },
      )
      expect((await auth.handle(new Request(`${ORIGIN}/api/auth/session`))).status).toBe(200)
    })

    it('2.6 basePath: a slash at its end makes no difference', async () => {
      const config = { basePath: '/login/' }
      expect(await (await ask(config, '/login/providers')).json()).toMatchObject({
        credentials: { signinUrl: `${ORIGIN}/login/signin/credentials` },
      })
    })
  })

  describe('secret', () => {
    const NEW = 'the newest of the secrets, for new ones'
    const OLD = 'the older of the two secrets, going out'

    it('2.6 secret: has no default', async () => {
      const { logger } = recordingLogger()
      const auth = createAuth({ providers: [], logger }, { env: { NODE_ENV: 'test' } })
      expect((await auth.handle(new Request(`${ORIGIN}/auth/session`))).status).toBe(500)
    })

    it('2.6 secret: with an array, the first seals new sessions', async () => {
      const visitor = await signedIn(createApplication({ secret: [NEW, OLD], ports: {} }))
      const token = visitor.cookies.get(SESSION_COOKIE) ?? ''
      expect(await decode({ token, secret: NEW, salt: SESSION_COOKIE })).toBeTruthy()
      await expect(decode({ token, secret: OLD, salt: SESSION_COOKIE })).rejects.toThrow()
    })

    it('2.6 secret: with an array, a session that any of them opens goes on', async () => {
      const before = await signedIn(createApplication({ secret: OLD }))
      const after = new Visitor(createApplication({ secret: [NEW, OLD] }).handle)
      after.cookies.set(SESSION_COOKIE, before.cookies.get(SESSION_COOKIE) ?? '')
      expect(await after.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 secret: that none of the list is opens nothing', async () => {
      const before = await signedIn(createApplication({ secret: OLD }))
      const after = new Visitor(createApplication({ secret: NEW }).handle)
      after.cookies.set(SESSION_COOKIE, before.cookies.get(SESSION_COOKIE) ?? '')
      expect(await after.session()).toBeNull()
    })

    it('2.6 secret: a form that was open while secrets were rotated can still be sent', async () => {
      const before = createApplication({ secret: OLD }).visitor()
      const csrfToken = await before.csrfToken()
      const after = new Visitor(createApplication({ secret: [NEW, OLD] }).handle)
      after.cookies.set(CSRF_COOKIE, before.cookies.get(CSRF_COOKIE) ?? '')
      expect(await after.csrfToken()).toBe(csrfToken)
      await signIn(after)
      expect(await after.session()).toMatchObject({ user: { name: 'Ann' } })
    })
  })

  describe('session.strategy', () => {
    it('2.6 session.strategy: defaults to jwt', async () => {
      const visitor = await signedIn(createApplication())
      expect(visitor.cookies.get(SESSION_COOKIE)?.split('.')).toHaveLength(5)
    })

    it('2.6 session.strategy: defaults to database when an adapter is set', async () => {
      const { adapter, sessions } = memoryAdapter([ANN])
      const visitor = await signedIn(createApplication({ adapter }))
      expect(sessions.has(visitor.cookies.get(SESSION_COOKIE) ?? '')).toBe(true)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 session.strategy: jwt can be forced when an adapter is present', async () => {
      const { adapter, calls } = memoryAdapter([ANN])
      const visitor = await signedIn(createApplication({ adapter, session: { strategy: 'jwt' } }))
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      expect(calls).toEqual([])
    })

    it('2.6 session.strategy: database without an adapter is a fault', async () => {
      const application = createApplication({ session: { strategy: 'database' } })
      await expect(application.getSession({ headers: {} })).rejects.toThrow('adapter')
    })
  })

  describe('session.maxAge', () => {
    it('2.6 session.maxAge: defaults to 2592000 seconds', async () => {
      const application = createApplication()
      const response = await signIn(application.visitor())
      expect(writtenCookie(response, SESSION_COOKIE)?.attributes['expires']).toBe(
        new Date(application.clock.now() + 2_592_000_000).toUTCString(),
      )
    })

    it.each(STRATEGIES)(
      '2.6 session.maxAge: is the idle time until a session ends (%s)',
      async strategy => {
        const application = createApplication({
          ...configFor(strategy),
          session: { maxAge: 3600, updateAge: 0 },
        })
        const [busy, idle] = [await signedIn(application), await signedIn(application)]
        for (let minutes = 0; minutes < 120; minutes += 40) {
          expect(await busy.session()).toMatchObject({ user: { name: 'Ann' } })
          application.clock.advance(40 * 60)
        }
        expect(await busy.session()).toMatchObject({ user: { name: 'Ann' } })
        expect(await idle.session()).toBeNull()
      },
    )

    it('2.6 session.maxAge: removes the cookie and the row of a session that has ended', async () => {
      const { adapter, sessions } = memoryAdapter([ANN])
      const application = createApplication({ adapter, session: { maxAge: 60 } })
      const visitor = await signedIn(application)
      application.clock.advance(61)
      expect(await visitor.session()).toBeNull()
      expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
      expect(sessions.size).toBe(0)
    })

    it('2.6 session.maxAge: that is no number of seconds is a fault', async () => {
      for (const maxAge of [0, -1, Number.NaN]) {
        expect((await ask({ session: { maxAge } }, '/auth/session')).status).toBe(500)
      }
    })
  })

  describe('session.updateAge', () => {
    it('2.6 session.updateAge: defaults to 86400 seconds', async () => {
      const application = createApplication()
      const visitor = await signedIn(application)
      application.clock.advance(DAY - 1)
      expect(writtenCookies(await visitor.get('/session'))).toEqual([])
      application.clock.advance(1)
      const renewed = writtenCookie(await visitor.get('/session'), SESSION_COOKIE)
      expect(renewed?.attributes['expires']).toBe(
        new Date(application.clock.now() + 30 * DAY * 1000).toUTCString(),
      )
    })

    it('2.6 session.updateAge: throttles the writes to a database', async () => {
      const { adapter, calls } = memoryAdapter([ANN])
      const application = createApplication({ adapter, session: { updateAge: 600 } })
      const visitor = await signedIn(application)
      for (let minutes = 0; minutes < 20; minutes++) {
        await visitor.session()
        application.clock.advance(60)
      }
      expect(calls.filter(each => each === 'updateSession')).toHaveLength(1)
    })

    it('2.6 session.updateAge: 0 renews at every access', async () => {
      const { adapter, calls } = memoryAdapter([ANN])
      const stored = await signedIn(createApplication({ adapter, session: { updateAge: 0 } }))
      for (let reads = 0; reads < 3; reads++) {
        expect(writtenCookie(await stored.get('/session'), SESSION_COOKIE)).toBeDefined()
      }
      expect(calls.filter(each => each === 'updateSession')).toHaveLength(3)
      const sealed = await signedIn(createApplication({ session: { updateAge: 0 } }))
      const before = sealed.cookies.get(SESSION_COOKIE)
      expect(await sealed.session()).toMatchObject({ user: { name: 'Ann' } })
      expect(sealed.cookies.get(SESSION_COOKIE)).not.toBe(before)
    })
  })

  describe('session.generateSessionToken', () => {
    it('2.6 session.generateSessionToken: defaults to a random UUID', async () => {
      const { adapter } = memoryAdapter([ANN])
      const application = createApplication({ adapter })
      const [first, second] = [await signedIn(application), await signedIn(application)]
      const token = first.cookies.get(SESSION_COOKIE)
      expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(second.cookies.get(SESSION_COOKIE)).not.toBe(token)
    })

    it('2.6 session.generateSessionToken: makes the token of a database session', async () => {
      const { adapter, sessions } = memoryAdapter([ANN])
      const generateSessionToken = () => 'a token of our own'
      const visitor = await signedIn(
        createApplication({ adapter, session: { generateSessionToken } }),
      )
      expect([...sessions.keys()]).toEqual(['a token of our own'])
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })
  })

  describe('jwt', () => {
    it('2.6 jwt: are on and encrypted by default without an adapter', async () => {
      const visitor = await signedIn(createApplication())
      expect(visitor.cookies.get(SESSION_COOKIE)).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    })

    it('2.6 jwt: encode and decode can be replaced', async () => {
      const application = createApplication({
        jwt: {
          encode: ({ token }) => `plain:${btoa(JSON.stringify(token))}`,
          decode: ({ token }) => JSON.parse(atob(token?.slice('plain:'.length) ?? '')),
        },
      })
      const visitor = await signedIn(application)
      expect(visitor.cookies.get(SESSION_COOKIE)).toMatch(/^plain/)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 jwt: encode and decode receive secret, salt and maxAge, and may call our own', async () => {
      const seen: unknown[] = []
      const application = createApplication({
        ports: {},
        session: { maxAge: 600 },
        jwt: {
          encode(params) {
            seen.push(params.salt, params.secret, params.maxAge)
            return encode(params)
          },
          decode: params => decode(params),
        },
      })
      const visitor = await signedIn(application)
      expect(seen).toEqual([SESSION_COOKIE, SECRET, 600])
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 jwt: decode that throws or answers null means that nobody is signed in', async () => {
      for (const decode of [() => null, () => Promise.reject(new Error('no'))]) {
        const visitor = await signedIn(createApplication({ jwt: { decode } }))
        expect(await visitor.session()).toBeNull()
      }
    })

    it('2.6 jwt: secret and maxAge are those of the options unless given', async () => {
      const secret = 'a secret that is for session tokens alone'
      const application = createApplication({ ports: {}, jwt: { secret, maxAge: 60 } })
      const token = (await signedIn(application)).cookies.get(SESSION_COOKIE) ?? ''
      const claims = await decode({ token, secret, salt: SESSION_COOKIE })
      expect(Number(claims?.exp) - Number(claims?.iat)).toBe(60)
    })
  })

  describe('callbacks and events', () => {
    it('2.6 callbacks: none are needed, and each may be given alone', async () => {
      expect(await (await signedIn(createApplication())).session()).toBeTruthy()
      const application = createApplication({ callbacks: { signIn: () => false } })
      expect(await (await signedIn(application)).session()).toBeNull()
    })

    it('2.6 events: none are needed, and each may be given alone', async () => {
      const told: unknown[] = []
      const application = createApplication({
        events: { signIn: message => void told.push(message) },
      })
      const visitor = await signedIn(application)
      await visitor.post('/signout')
      expect(told).toHaveLength(1)
    })
  })

  describe('pages', () => {
    it('2.6 pages.signIn: replaces the built-in page', async () => {
      const config = { pages: { signIn: '/login?theme=dark' } }
      const response = await ask(config, '/auth/signin?callbackUrl=/inbox&error=AccessDenied')
      expect(response.status).toBe(302)
      const to = new URL(response.headers.get('location') ?? '')
      expect(to.origin + to.pathname).toBe(`${ORIGIN}/login`)
      expect(Object.fromEntries(to.searchParams)).toEqual({
        theme: 'dark',
        callbackUrl: `${ORIGIN}/inbox`,
        error: 'AccessDenied',
      })
    })

    it('2.6 pages.signIn: is where a failed sign-in leads', async () => {
      const visitor = createApplication({ pages: { signIn: '/login' } }).visitor()
      const response = await visitor.post('/callback/credentials')
      expect(response.headers.get('location')).toBe(
        `${ORIGIN}/login?error=CredentialsSignin&code=credentials`,
      )
    })

    it('2.6 pages.signOut: replaces the built-in page', async () => {
      const response = await ask({ pages: { signOut: '/bye' } }, '/auth/signout')
      expect(response.headers.get('location')).toBe(`${ORIGIN}/bye`)
    })

    it('2.6 pages.error: replaces the built-in page and receives the error', async () => {
      const config = { pages: { error: '/oops' }, callbacks: { signIn: () => false } }
      const response = await signIn(createApplication(config).visitor())
      expect(response.headers.get('location')).toBe(`${ORIGIN}/oops?error=AccessDenied`)
      const shown = await ask(config, '/auth/error?error=AccessDenied')
      expect(shown.headers.get('location')).toBe(`${ORIGIN}/oops?error=AccessDenied`)
    })

    it('2.6 pages.verifyRequest: replaces the built-in page', async () => {
      const config = { pages: { verifyRequest: '/sent' } }
      const response = await ask(config, '/auth/verify-request?provider=email&type=email')
      expect(response.headers.get('location')).toBe(`${ORIGIN}/sent?provider=email&type=email`)
    })

    it('2.6 pages.newUser: is not where credentials lead, since they store nobody new', async () => {
      const application = createApplication({ pages: { newUser: '/welcome' } })
      const response = await signIn(application.visitor())
      expect(response.headers.get('location')).toBe(ORIGIN)
    })

    it('2.6 pages.newUser, pages.error and the others must be paths or http(s) URLs', async () => {
      for (const page of ['login', '//evil.example', 'javascript:alert(1)', 'http://[']) {
        for (const key of ['signIn', 'signOut', 'error', 'verifyRequest', 'newUser']) {
          const response = await ask({ pages: { [key]: page } }, '/auth/signin')
          expect(response.status, `${key} ${page}`).toBe(500)
        }
      }
    })

    it('2.6 pages: defaults to the built-in ones', async () => {
      for (const path of ['signin', 'signout', 'verify-request', 'error']) {
        const response = await ask({}, `/auth/${path}`)
        expect(response.status, path).toBe(200)
        expect(response.headers.get('content-type'), path).toContain('text/html')
      }
    })
  })

  describe('cookies', () => {
    it('2.6 cookies: defaults to those of the library', async () => {
      const visitor = createApplication().visitor()
      await visitor.get('/signin?callbackUrl=/inbox')
      expect([...visitor.cookies.keys()].sort()).toEqual([CSRF_COOKIE, CALLBACK_COOKIE].sort())
    })

    it('2.6 cookies: names can be overridden', async () => {
      const application = createApplication({
        cookies: {
          sessionToken: { name: 'sid' },
          csrfToken: { name: 'form' },
          callbackUrl: { name: 'back' },
        },
      })
      const visitor = application.visitor()
      await visitor.get('/signin?callbackUrl=/inbox')
      await signIn(visitor)
      const ours = [...visitor.cookies.keys()].filter(name => !name.includes('siteauth.'))
      expect(ours.sort()).toEqual(['form', 'sid'])
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 cookies: options that are not given keep their defaults', async () => {
      const application = createApplication({
        cookies: { csrfToken: { options: { sameSite: 'strict' } } },
      })
      const response = await application.visitor().get('/csrf')
      expect(writtenCookie(response, CSRF_COOKIE)?.attributes).toEqual({
        path: '/',
        httponly: true,
        secure: true,
        samesite: 'Strict',
      })
    })

    it('2.6 cookies: a domain shares the session between hosts', async () => {
      const application = createApplication({
        cookies: { sessionToken: { options: { domain: '.example.com' } } },
      })
      const visitor = application.visitor()
      const response = await signIn(visitor)
      expect(writtenCookie(response, SESSION_COOKIE)?.attributes['domain']).toBe('.example.com')
      const left = await visitor.post('/signout')
      expect(writtenCookie(left, SESSION_COOKIE)?.attributes).toMatchObject({
        domain: '.example.com',
        'max-age': '0',
      })
    })

    it('2.6 cookies: that browsers or the grammar would refuse are faults', async () => {
      const faulty: NonNullable<AuthConfig['cookies']>[] = [
        { sessionToken: { name: 'a b' } },
        { sessionToken: { name: 'a;b' } },
        { sessionToken: { name: 'a=b' } },
        { sessionToken: { name: 'a\r\nb' } },
        { sessionToken: { name: 'ä' } },
        { sessionToken: { name: '' } },
        { sessionToken: { options: { path: '/; Domain=evil.example' } } },
        { sessionToken: { options: { domain: 'a b' } } },
        { sessionToken: { options: { secure: false } } },
        { sessionToken: { options: { maxAge: 1.5 } } },
        { csrfToken: { options: { domain: 'example.com' } } },
        { state: { name: 'x', options: { sameSite: 'none', secure: false } } },
      ]
      for (const cookies of faulty) {
        const response = await ask({ cookies }, '/auth/session')
        expect(response.status, JSON.stringify(cookies)).toBe(500)
      }
    })

    it('2.6 cookies: a __Secure- name does for an application that is at https alone', async () => {
      const config = { cookies: { sessionToken: { name: '__Secure-mine' } } }
      const response = await ask(config, '/auth/session', { AUTH_URL: ORIGIN })
      expect(response.status).toBe(200)
    })
  })

  describe('useSecureCookies', () => {
    it('2.6 useSecureCookies: defaults to false for URLs that start with http://', async () => {
      const visitor = createApplication().visitor('http://localhost:3000/auth')
      const response = await signIn(visitor)
      expect(writtenCookie(response, 'authjs.session-token')?.attributes).not.toHaveProperty(
        'secure',
      )
      expect(visitor.cookies.has('authjs.csrf-token')).toBe(true)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('2.6 useSecureCookies: defaults to true for HTTPS', async () => {
      const response = await signIn(createApplication().visitor())
      expect(writtenCookie(response, SESSION_COOKIE)?.attributes).toHaveProperty('secure', true)
    })

    it('2.6 useSecureCookies: decides, if it is given', async () => {
      const forced = createApplication({ useSecureCookies: true })
      const plain = await signIn(forced.visitor('http://localhost:3000/auth'))
      expect(writtenCookie(plain, SESSION_COOKIE)?.attributes).toHaveProperty('secure', true)
      const off = await signIn(createApplication({ useSecureCookies: false }).visitor())
      expect(writtenCookie(off, 'authjs.session-token')?.attributes).not.toHaveProperty('secure')
    })
  })

  describe('trustHost', () => {
    function from(headers: Record<string, string>, config: Partial<AuthConfig>): Promise<Response> {
      const request = new Request('http://10.0.0.7:3000/auth/providers', { headers })
      return createApplication(config, { NODE_ENV: 'production' }).handle(request)
    }

    it('2.6 trustHost: has no default in production, where a host must be trusted or known', async () => {
      const application = createApplication({}, { NODE_ENV: 'production' })
      expect((await application.handle(new Request(`${ORIGIN}/auth/session`))).status).toBe(500)
      expect(application.errors[0]).toBeInstanceOf(UntrustedHost)
    })

    it('2.6 trustHost: false is a fault where AUTH_URL is not set', async () => {
      expect((await from({ host: 'app.example.com' }, { trustHost: false })).status).toBe(500)
    })

    it('2.6 trustHost: true relies on the host that the request names', async () => {
      const direct = await from({ host: 'app.example.com' }, { trustHost: true })
      expect(await direct.json()).toMatchObject({
        credentials: { signinUrl: 'http://app.example.com/auth/signin/credentials' },
      })
      const headers = { 'x-forwarded-host': 'www.example.com', 'x-forwarded-proto': 'https' }
      expect(await (await from(headers, { trustHost: true })).json()).toMatchObject({
        credentials: { signinUrl: 'https://www.example.com/auth/signin/credentials' },
      })
    })

    it('2.6 trustHost: a list trusts its hosts and no others', async () => {
      const config = { trustHost: ['app.example.com', '*.preview.example.com'] }
      expect((await from({ host: 'app.example.com' }, config)).status).toBe(200)
      expect((await from({ host: 'pr-7.preview.example.com' }, config)).status).toBe(200)
      expect((await from({ host: 'evil.example' }, config)).status).toBe(400)
      expect((await from({ host: 'preview.example.com' }, config)).status).toBe(400)
    })

    it.each(['VERCEL', 'CF_PAGES'])(
      '2.6 trustHost: is set on a known platform (%s)',
      async name => {
        const application = createApplication({}, { NODE_ENV: 'production', [name]: '1' })
        expect((await application.handle(new Request(`${ORIGIN}/auth/session`))).status).toBe(200)
      },
    )

    it('2.6 trustHost: AUTH_TRUST_HOST means what it says', async () => {
      async function statusWith(value: string): Promise<number> {
        const env = { NODE_ENV: 'production', AUTH_TRUST_HOST: value }
        const application = createApplication({}, env)
        return (await application.handle(new Request(`${ORIGIN}/auth/session`))).status
      }
      for (const yes of ['true', '1', 'TRUE', 'yes']) expect(await statusWith(yes), yes).toBe(200)
      for (const no of ['false', '0', 'off', 'perhaps', '']) {
        expect(await statusWith(no), no).toBe(500)
      }
    })
  })

  describe('redirectProxyUrl', () => {
    it('2.6 redirectProxyUrl: must be the full URL up to where the library is', async () => {
      expect((await ask({ redirectProxyUrl: '/auth' }, '/auth/session')).status).toBe(500)
      const config = { redirectProxyUrl: 'https://stable.example.com/auth' }
      expect((await ask(config, '/auth/session')).status).toBe(200)
    })
  })

  describe('experimental.enableWebAuthn', () => {
    const passkey = { id: 'passkey', name: 'Passkey', type: 'webauthn' } as Provider

    it('2.6 experimental.enableWebAuthn: defaults to false, and a provider that needs it is a fault', async () => {
      const { adapter } = memoryAdapter([])
      const application = createApplication({ adapter, providers: [passkey] })
      await application.handle(new Request(`${ORIGIN}/auth/session`))
      expect(application.errors.some(each => each instanceof ExperimentalFeatureNotEnabled)).toBe(
        true,
      )
    })

    it('2.6 experimental.enableWebAuthn: true is warned of', async () => {
      const config = { experimental: { enableWebAuthn: true } }
      expect(await warningsOf(createApplication(config))).toContain('experimental-webauthn')
      expect(await warningsOf(createApplication())).toEqual([])
    })
  })

  describe('debug and logger', () => {
    const printed: string[] = []

    beforeEach(() => {
      printed.length = 0
      for (const level of ['log', 'warn', 'error', 'debug'] as const) {
        vi.spyOn(console, level).mockImplementation((...words) => {
          printed.push(words.join(' '))
        })
      }
    })
    afterEach(() => vi.restoreAllMocks())

    async function visitTwice(config: Partial<AuthConfig>): Promise<void> {
      const auth = createAuth(
        { providers: [passwords()], secret: SECRET, ...config },
        { env: { NODE_ENV: 'test' } },
      )
      await auth.handle(new Request(`${ORIGIN}/auth/nothing`))
      await auth.handle(new Request(`${ORIGIN}/auth/signout`, { method: 'POST' }))
    }

    it('2.6 debug: defaults to false, and the console stays free of details', async () => {
      await visitTwice({})
      expect(printed.filter(line => line.includes('[auth][debug]'))).toEqual([])
    })

    it('2.6 debug: true writes details to the console, and warns of it', async () => {
      await visitTwice({ debug: true })
      expect(printed.some(line => line.includes('[auth][debug]'))).toBe(true)
      await vi.waitFor(() => expect(printed.join()).toContain('debug-enabled'))
    })

    it('2.6 debug: is ignored when a custom logger is set', async () => {
      await visitTwice({ debug: true, logger: { error() {} } })
      expect(printed).toEqual([])
    })

    it('2.6 logger: defaults to the console', async () => {
      await visitTwice({})
      expect(printed.some(line => line.includes('[auth][error] MissingCSRF'))).toBe(true)
    })

    it('2.6 logger: error can be overridden', async () => {
      const told: Error[] = []
      await visitTwice({ logger: { error: error => void told.push(error) } })
      expect(told.map(each => each.name)).toEqual(['MissingCSRF'])
      expect(printed).toEqual([])
    })

    it('2.6 logger: warn can be overridden, and error stays with the console', async () => {
      const told: string[] = []
      await visitTwice({ secret: 'short', logger: { warn: code => void told.push(code) } })
      expect(told).toEqual(['short-secret'])
      expect(printed.some(line => line.includes('[auth][error] MissingCSRF'))).toBe(true)
    })

    it('2.6 logger: debug can be overridden, and is called whatever debug says', async () => {
      const told: string[] = []
      await visitTwice({ logger: { debug: message => void told.push(message), error() {} } })
      expect(told.some(message => message.includes('/auth/nothing'))).toBe(true)
    })
  })

  describe('skipCSRFCheck', () => {
    async function signOutWithoutToken(config: Partial<AuthConfig>): Promise<string | null> {
      const application = createApplication(config)
      const response = await application.visitor().send('/signout', { method: 'POST' })
      return response.headers.get('location')
    }

    it('2.6 skipCSRFCheck: has no default: a token is needed', async () => {
      expect(await signOutWithoutToken({})).toContain('error=MissingCSRF')
    })

    it('2.6 skipCSRFCheck: the exported marker skips the check', async () => {
      expect(await signOutWithoutToken({ skipCSRFCheck })).toBe(ORIGIN)
    })

    it('2.6 skipCSRFCheck: nothing but the marker does', async () => {
      for (const marker of [true, 'true', Symbol('siteauth.skip-csrf-check'), {}]) {
        const config = { skipCSRFCheck: marker } as Partial<AuthConfig>
        expect(await signOutWithoutToken(config)).toContain('error=MissingCSRF')
      }
    })

    it('2.6 skipCSRFCheck: there is no token then, and that is warned of', async () => {
      const application = createApplication({ skipCSRFCheck })
      expect((await application.visitor().get('/csrf')).status).toBe(404)
      expect(application.warnings).toContain('csrf-disabled')
    })
  })

  describe('theme', () => {
    async function pageWith(theme: AuthConfig['theme']): Promise<string> {
      return (await ask(theme ? { theme } : {}, '/auth/signin')).text()
    }

    it('2.6 theme: has no default beyond following the device', async () => {
      expect(await pageWith(undefined)).toContain('__next-auth-theme-auto')
    })

    it('2.6 theme: colorScheme, logo, brandColor and buttonText shape the built-in pages', async () => {
      const html = await pageWith({
        colorScheme: 'dark',
        logo: 'https://images.example/logo.png',
        brandColor: '#bada55',
        buttonText: 'rebeccapurple',
      })
      expect(html).toContain('__next-auth-theme-dark')
      expect(html).toContain('src="https://images.example/logo.png"')
      expect(html).toContain('--brand-color:#bada55')
      expect(html).toContain('--button-text-color:rebeccapurple')
    })

    it('2.6 theme: values cannot break out of where they are put', async () => {
      const evil = '"></style><script>alert(1)</script>'
      const html = await pageWith({
        colorScheme: evil as 'dark',
        logo: `javascript:alert(1)//${evil}`,
        brandColor: `red}${evil}`,
        buttonText: `url(javascript:alert(1))${evil}`,
      })
      expect(html).not.toMatch(/<script(?! src="\/auth\/assets\/)/)
      expect(html).not.toContain('javascript:')
    })
  })

  it('2.6 SiteAuthConfig: is only read, never changed', async () => {
    const config = Object.freeze({
      providers: Object.freeze([everybodyIs(ANN)]) as AuthConfig['providers'],
      secret: SECRET,
      session: Object.freeze({ maxAge: 60 }),
      cookies: Object.freeze({ sessionToken: Object.freeze({ name: 'sid' }) }),
      pages: Object.freeze({}),
      callbacks: Object.freeze({}),
      events: Object.freeze({}),
    })
    const visitor = new Visitor(createAuth(config, { env: { NODE_ENV: 'test' } }).handle)
    await signIn(visitor)
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })
})
