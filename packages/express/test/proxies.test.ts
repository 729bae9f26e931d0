import { getSession, ServerAuth, SiteAuth } from '@siteauth/express'
import { describe, expect, it, vi } from 'vitest'
import { configure, sendRaw, serve, versions, visit, visitAsAnn } from './server.ts'

const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example.com' }
const PLAIN = 'authjs.session-token'
const SECURE = `__Secure-${PLAIN}`

for (const { name, express } of versions) {
  describe(name, () => {
    async function start(trustProxy: unknown, over: Parameters<typeof configure>[0] = {}) {
      const config = configure(over)
      const app = express()
      if (trustProxy !== undefined) app.set('trust proxy', trustProxy)
      app.use('/auth', ServerAuth(config))
      app.get('/who', async (req, res) => void res.json(await getSession(req, config)))
      return `${await serve(app)}/auth`
    }

    async function callbackUrl(base: string, headers: Record<string, string>): Promise<string> {
      const { text } = await sendRaw(`${base}/providers`, headers)
      return JSON.parse(text).credentials.callbackUrl
    }

    it.each([true, 1, 'loopback', ['127.0.0.1']])(
      'believes a proxy that trust proxy %j covers',
      async trust => {
        const base = await start(trust)
        expect(await callbackUrl(base, { host: 'inner', ...https })).toBe(
          'https://app.example.com/auth/callback/credentials',
        )
      },
    )

    it.each([undefined, false, 0, '10.0.0.0/8'])(
      'believes no proxy that trust proxy %j does not cover',
      async trust => {
        const base = await start(trust)
        expect(await callbackUrl(base, { host: 'inner', ...https })).toBe(
          'http://inner/auth/callback/credentials',
        )
      },
    )

    it.each([
      ['https, http', 'https:'],
      ['http, https', 'https:'], // a visitor can add to the list, and take nothing out
      ['http', 'http:'],
      ['javascript', 'http:'],
    ])('reads the scheme "%s" as %s', async (proto, expected) => {
      const base = await start(true)
      const url = await callbackUrl(base, { host: 'inner', 'x-forwarded-proto': proto })
      expect(new URL(url).protocol).toBe(expected)
    })

    it('reads no scheme from a proxy that it does not trust', async () => {
      const base = await start(false)
      const url = await callbackUrl(base, { host: 'inner', 'x-forwarded-proto': 'http, https' })
      expect(new URL(url).protocol).toBe('http:')
    })

    it('believes the nearest proxy where a visitor has sent a host before it', async () => {
      const base = await start(true)
      const forwarded = 'evil.example, app.example.com'
      const url = await callbackUrl(base, { host: 'inner', 'x-forwarded-host': forwarded })
      expect(new URL(url).host).toBe('app.example.com')
    })

    it('answers only for the hosts of trustHost', async () => {
      const base = await start(true, { trustHost: ['app.example.com'] })
      expect(new URL(await callbackUrl(base, { host: 'inner', ...https })).host).toBe(
        'app.example.com',
      )
      const { statusCode } = await sendRaw(`${base}/providers`, { host: 'evil.example' })
      expect(statusCode).toBe(400)
    })

    it('trusts no host in production unless told to', async () => {
      vi.stubEnv('NODE_ENV', 'production')
      const { statusCode } = await sendRaw(`${await start(true)}/providers`, { host: 'x' })
      expect(statusCode).toBeGreaterThanOrEqual(400)
    })

    it.each(['http://a b', 'a/b', 'a@b'])('refuses the host %j', async host => {
      const { statusCode } = await sendRaw(`${await start(undefined)}/providers`, { host })
      expect(statusCode).toBeGreaterThanOrEqual(400)
    })

    it('takes no host from the target of a request', async () => {
      const app = express().use(/.*\/auth/, ServerAuth(configure()))
      const target = 'http://evil.example/auth/providers'
      const { text } = await sendRaw(await serve(app), { host: 'inner' }, target)
      expect(new URL(JSON.parse(text).credentials.callbackUrl).host).toBe('inner')
    })

    it('lets AUTH_URL win over every header, for endpoints and sessions alike', async () => {
      vi.stubEnv('AUTH_URL', 'https://site.example')
      const base = await start(undefined)
      expect(await callbackUrl(base, { host: 'inner' })).toBe(
        'https://site.example/auth/callback/credentials',
      )
      const visitor = await visitAsAnn(base)
      expect([...visitor.cookies.keys()]).toContain(SECURE)
      const who = await visitor.get(new URL('/who', base).href)
      expect(await who.json()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('takes a prefix that a proxy removes from AUTH_URL', async () => {
      vi.stubEnv('AUTH_URL', 'https://site.example/app/auth')
      expect(await callbackUrl(await start(undefined), { host: 'inner' })).toBe(
        'https://site.example/app/auth/callback/credentials',
      )
    })

    it('takes a prefix that a proxy removes from AUTH_URL, whatever the case of a path', async () => {
      vi.stubEnv('AUTH_URL', 'https://site.example/app/auth')
      const base = (await start(undefined)).replace('/auth', '/AUTH')
      expect(await callbackUrl(base, { host: 'inner' })).toBe(
        'https://site.example/app/auth/callback/credentials',
      )
    })

    it('leads back into the application where a proxy removes a prefix', async () => {
      vi.stubEnv('AUTH_URL', 'https://site.example/app/auth')
      const config = configure({ basePath: '/auth' })
      const auth = SiteAuth(config)
      const app = express().use('/auth', auth.handler)
      app.post('/login', (req, _res, next) => {
        auth
          .signIn(req, 'credentials', {
            password: 'right',
            redirectTo: '/account',
          })
          .catch(next)
      })
      app.post('/anyone', (req, _res, next) => {
        auth.signIn(req).catch(next)
      })
      app.post('/logout', (req, _res, next) => {
        auth.signOut(req, { redirectTo: '/' }).catch(next)
      })
      const origin = await serve(app)
      const to = async (path: string) =>
        (await visit(origin).send(path, { method: 'POST' })).headers.get('location')
      expect(await to('/login')).toBe('https://site.example/app/account')
      expect(await to('/anyone')).toBe('/app/auth/signin?callbackUrl=%2Fapp%2F')
      expect(await to('/logout')).toBe('https://site.example/app/')
    })

    // The cookies of HTTPS have other names: a route that believes another scheme sees nobody.
    it.each([
      [true, SECURE],
      [undefined, PLAIN],
    ])(
      'reads sessions by the scheme of the endpoints with trust proxy %j',
      async (trust, cookie) => {
        const base = await start(trust)
        const visitor = visit(base)
        const token = (await (await visitor.get('/csrf', https)).json()) as { csrfToken: string }
        await visitor.send('/callback/credentials', {
          method: 'POST',
          headers: https,
          body: new URLSearchParams({ ...token, password: 'right' }),
        })
        expect([...visitor.cookies.keys()]).toContain(cookie)
        const who = await visitor.get(new URL('/who', base).href, https)
        expect(await who.json()).toMatchObject({ user: { name: 'Ann' } })
      },
    )
  })
}
