import { AuthError, getSession, SiteAuth } from '@siteauth/express'
import type { Express } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { memoryAdapter } from '../../core/test/spec/memory-adapter.ts'
import { configure, serve, versions, visit, visitAsAnn } from './server.ts'

const page = { accept: 'text/html,application/xhtml+xml' }

for (const { name, express } of versions) {
  async function start(build: (app: Express) => void): Promise<{ origin: string; base: string }> {
    const app = express()
    build(app)
    const origin = await serve(app)
    return { origin, base: `${origin}/auth` }
  }

  describe(`${name}: requireSession`, () => {
    async function guarded(options?: { readonly redirectTo?: string | undefined }, over = {}) {
      const auth = SiteAuth(configure(over))
      return start(app => {
        app.use('/auth', auth.handler)
        app.all('/account', auth.requireSession(options), (_req, res) => {
          res.send(`account of ${res.locals.session.user?.name}`)
        })
        const router = express.Router()
        router.use(auth.requireSession(options))
        router.get('/users', (_req, res) => void res.send('users'))
        app.use('/admin', router)
      })
    }

    it('lets pass who is signed in, on a route and on a router', async () => {
      const { origin, base } = await guarded()
      const ann = await visitAsAnn(base)
      expect(await (await ann.get(`${origin}/account`)).text()).toBe('account of Ann')
      expect(await (await ann.get(`${origin}/admin/users`)).text()).toBe('users')
    })

    it.each([
      [undefined, '/auth/signin?callbackUrl=%2Fadmin%2Fusers%3Fpage%3D2'],
      ['/login', '/login?callbackUrl=%2Fadmin%2Fusers%3Fpage%3D2'],
      ['/login?a=1#b', '/login?a=1&callbackUrl=%2Fadmin%2Fusers%3Fpage%3D2#b'],
      ['https://id.example/x', 'https://id.example/x?callbackUrl=%2Fadmin%2Fusers%3Fpage%3D2'],
    ])('sends people to sign in at %s and says where they were', async (redirectTo, expected) => {
      const { origin } = await guarded({ redirectTo })
      const answer = await visit(origin).get('/admin/users?page=2', page)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, expected])
      expect(answer.headers.get('cache-control')).toContain('no-store')
    })

    it('sends people to the page of the configuration', async () => {
      const { origin } = await guarded({}, { pages: { signIn: '/enter' } })
      const answer = await visit(origin).get('/account', page)
      expect(answer.headers.get('location')).toBe('/enter?callbackUrl=%2Faccount')
    })

    it('brings people back to where they were', async () => {
      const { origin, base } = await guarded()
      const visitor = visit(base)
      const away = await visitor.get(`${origin}/admin/users?page=2`, page)
      const signInUrl = new URL(away.headers.get('location') ?? '', origin)
      await visitor.get(signInUrl.href)
      const callbackUrl = signInUrl.searchParams.get('callbackUrl') ?? ''
      const back = await visitor.post('/callback/credentials', { password: 'right', callbackUrl })
      expect(back.headers.get('location')).toBe(`${origin}/admin/users?page=2`)
    })

    it('names the page that a form was on, since forms cannot be repeated', async () => {
      const { origin } = await guarded({ redirectTo: '/login' })
      const headers = { ...page, referer: `${origin}/form` }
      const answer = await visit(origin).send('/account', { method: 'POST', headers })
      expect(answer.headers.get('location')).toBe(
        `/login?callbackUrl=${encodeURIComponent(`${origin}/form`)}`,
      )
    })

    it.each(['https://evil.example/form', 'http://127.0.0.1.evil.example/', 'nonsense'])(
      'does not name %s, where a form of another site was',
      async referer => {
        const { origin } = await guarded({ redirectTo: '/login' })
        const headers = { ...page, referer }
        const answer = await visit(origin).send('/account', { method: 'POST', headers })
        expect(answer.headers.get('location')).toBe('/login')
      },
    )

    it.each([
      ['that accept JSON', { accept: 'application/json' }],
      ['that accept anything', { accept: '*/*' }],
      ['in pages', { ...page, 'x-requested-with': 'XMLHttpRequest' }],
      ['that prefer JSON', { accept: 'text/html;q=0.1, application/json' }],
      ['that take no pages', { accept: 'text/html;q=0, application/json' }],
    ])('answers 401 to programs %s', async (_which, headers) => {
      const { origin } = await guarded({ redirectTo: '/login' })
      const answer = await visit(origin).get('/account', headers)
      expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthorized' }])
      expect(answer.headers.get('vary')).toBe('Accept, Cookie')
    })

    it('never names another host as the way back', async () => {
      const auth = SiteAuth(configure())
      const { origin } = await start(app => app.use(auth.requireSession()))
      const answer = await visit(origin).get('//evil.example/x', page)
      expect(answer.headers.get('location')).toBe('/auth/signin?callbackUrl=%2Fevil.example%2Fx')
    })

    describe('on the page to sign in', () => {
      async function guardedLogin(redirectTo: (host: string | undefined) => string) {
        const auth = SiteAuth(configure())
        return start(app => {
          app.use((req, res, next) => {
            const guard = auth.requireSession({ redirectTo: redirectTo(req.headers.host) })
            express.Router().use(guard)(req, res, next)
          })
          app.get('/login', (_req, res) => void res.send('shown'))
          app.get('/', (_req, res) => void res.send('shown'))
        })
      }

      it.each([
        ['a path', () => '/login'],
        ['a path with a query', () => '/login?a=1'],
        ['a URL', (host: string | undefined) => `http://${host}/login`],
      ])('ends the redirects where that is %s', async (_kind, redirectTo) => {
        const { origin } = await guardedLogin(redirectTo)
        vi.stubEnv('AUTH_URL', origin)
        expect((await visit(origin).get('/login', page)).status).toBe(302)
        expect((await visit(origin).get('/login?a=1&callbackUrl=%2Fx', page)).status).toBe(508)
        expect((await visit(origin).get('/', page)).status).toBe(302)
      })

      it.each(['/', '/?login=1', '/?error=x&login=1', '/?login', '/?login=1&login=2'])(
        'guards %s, though a query makes it that page',
        async path => {
          const { origin } = await guardedLogin(() => '/?login=1')
          const response = await visit(origin).get(path, page)
          expect(response.status).toBe(302)
          expect(response.headers.get('location')).toMatch(/^\/\?login=1&callbackUrl=/)
          expect((await visit(origin).get(`/?login=1&callbackUrl=%2Fx`, page)).status).toBe(508)
        },
      )

      it('lets nobody pass to the same path where it is on another host', async () => {
        const { origin } = await guardedLogin(() => 'https://id.example/login')
        expect((await visit(origin).get('/login', page)).status).toBe(302)
      })
    })

    it('keeps what the application added to a session that is there already', async () => {
      const auth = SiteAuth(configure())
      const { origin, base } = await start(app => {
        app.use('/auth', auth.handler)
        app.use(auth.sessionMiddleware, (_req, res, next) => {
          if (res.locals.session) Object.assign(res.locals.session, { role: 'admin' })
          next()
        })
        app.get('/role', auth.requireSession(), (_req, res) => void res.json(res.locals.session))
      })
      const ann = await visitAsAnn(base)
      expect(await (await ann.get(`${origin}/role`)).json()).toMatchObject({ role: 'admin' })
    })

    it.each([
      ['no middleware', false],
      ['the middleware', true],
    ])('lets nobody in whom the application has put on res.locals after %s', async (_w, first) => {
      const auth = SiteAuth(configure())
      const { origin } = await start(app => {
        if (first) app.use(auth.sessionMiddleware)
        app.use((_req, res, next) => {
          res.locals['session'] = { user: { name: 'Mallory' }, expires: '2999-01-01' }
          next()
        })
        app.get('/account', auth.requireSession(), (_req, res) => void res.send('account'))
      })
      expect((await visit(origin).get('/account', page)).status).toBe(302)
    })

    it('lets in who is signed in, whatever the application has put on res.locals', async () => {
      const auth = SiteAuth(configure())
      const { origin, base } = await start(app => {
        app.use('/auth', auth.handler)
        app.use(auth.sessionMiddleware, (_req, res, next) => {
          Object.assign(res.locals, { session: null })
          next()
        })
        app.get('/name', auth.requireSession(), (_req, res) => {
          res.send(res.locals.session.user?.name)
        })
      })
      expect(await (await (await visitAsAnn(base)).get(`${origin}/name`)).text()).toBe('Ann')
    })

    it('hands on an error where it cannot be known who is signed in', async () => {
      const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
      const { origin, base } = await guarded({}, { adapter: store.adapter })
      const ann = await visitAsAnn(base)
      store.adapter.getSessionAndUser = () => Promise.reject(new Error('the store is down'))
      expect((await ann.get(`${origin}/account`, page)).status).toBe(500)
    })
  })

  describe(`${name}: signIn and signOut`, () => {
    async function application(over = {}) {
      const config = configure(over)
      const auth = SiteAuth(config)
      return start(app => {
        app.use('/auth', auth.handler)
        app.use(express.urlencoded({ extended: false }))
        app.post('/login', (req, res, next) => {
          auth
            .signIn(req, req.query['with']?.toString(), {
              ...req.body,
              ...(req.query['to'] ? { redirectTo: req.query['to'] } : {}),
            })
            .catch(error => {
              if (error instanceof AuthError) res.status(401).json(error.type)
              else next(error)
            })
        })
        app.post('/quiet-login', async (req, res) => {
          const url = await auth.signIn(req, 'credentials', {
            ...req.body,
            redirect: false,
          })
          const found = await getSession(req, config)
          res.json({ url, name: found?.user?.name })
        })
        app.post('/logout', (req, _res, next) => {
          auth.signOut(req, { redirectTo: '/bye' }).catch(next)
        })
        app.post('/quiet-logout', async (req, res) => {
          const before = await getSession(req, config)
          const url = await auth.signOut(req, { redirect: false })
          const after = await getSession(req, config)
          res.json({ url, before: before?.user?.name, after })
        })
      })
    }

    const right = { method: 'POST', body: new URLSearchParams({ password: 'right' }) }

    it('signs in with credentials and returns to where it is told', async () => {
      const { origin, base } = await application()
      const visitor = visit(base)
      const answer = await visitor.send(`${origin}/login?with=credentials&to=/account`, right)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, `${origin}/account`])
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('returns to the page that the visitor is on', async () => {
      const { origin, base } = await application()
      const headers = { referer: `${origin}/here` }
      const answer = await visit(base).send(`${origin}/login?with=credentials`, {
        ...right,
        headers,
      })
      expect(answer.headers.get('location')).toBe(`${origin}/here`)
    })

    it('goes to no other site', async () => {
      const { origin, base } = await application()
      const url = `${origin}/login?with=credentials&to=https://evil.example`
      expect((await visit(base).send(url, right)).headers.get('location')).toBe(origin)
    })

    it('throws a failed sign-in to the caller and sets no session', async () => {
      const { origin, base } = await application()
      const visitor = visit(base)
      const body = new URLSearchParams({ password: 'wrong' })
      const answer = await visitor.send(`${origin}/login?with=credentials`, {
        method: 'POST',
        body,
      })
      expect([answer.status, await answer.json()]).toEqual([401, 'CredentialsSignin'])
      expect(visitor.cookies.size).toBe(0)
    })

    it.each([
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ])('signs nobody in or out by a form of another site: %j', async headers => {
      const { origin, base } = await application()
      const visitor = visit(base)
      const answer = await visitor.send(`${origin}/login?with=credentials`, { ...right, headers })
      expect([answer.status, await answer.json()]).toEqual([401, 'MissingCSRF'])
      expect(visitor.cookies.size).toBe(0)
      const ann = await visitAsAnn(base)
      await ann.send(`${origin}/logout`, { method: 'POST', headers })
      expect(await ann.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('signs nobody in or out by a link or an image of another site', async () => {
      const auth = SiteAuth(configure())
      const { origin, base } = await start(app => {
        app.use('/auth', auth.handler)
        app.get('/enter', (req, _res, next) => {
          auth.signIn(req, 'credentials', { password: 'right' }).catch(next)
        })
        app.get('/leave', (req, _res, next) => void auth.signOut(req).catch(next))
      })
      const foreign = { 'sec-fetch-site': 'cross-site' }
      const visitor = visit(base)
      await visitor.get(`${origin}/enter`, foreign)
      expect(visitor.cookies.size).toBe(0)
      await visitor.get(`${origin}/enter`, { 'sec-fetch-site': 'none' })
      await visitor.get(`${origin}/leave`, foreign)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      await visitor.get(`${origin}/leave`, { 'sec-fetch-site': 'same-origin' })
      expect(await visitor.session()).toBeNull()
    })

    it('takes a form of a page of its own that says nothing of where it is', async () => {
      const { origin, base } = await application()
      const visitor = visit(base)
      const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' }
      await visitor.send(`${origin}/login?with=credentials`, { ...right, headers })
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('names no page of another site as the one to return to', async () => {
      const { origin, base } = await application()
      const headers = { referer: 'https://evil.example/x' }
      const answer = await visit(base).send(`${origin}/login`, { method: 'POST', headers })
      expect(answer.headers.get('location')).toBe('/auth/signin?callbackUrl=%2F')
    })

    it('takes a form of its own pages', async () => {
      const { origin, base } = await application()
      const visitor = visit(base)
      const headers = { origin, 'sec-fetch-site': 'same-origin' }
      await visitor.send(`${origin}/login?with=credentials`, { ...right, headers })
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it.each(['', '?with=nobody'])('sends people to the sign-in page for "%s"', async query => {
      const { origin, base } = await application()
      const answer = await visit(base).send(`${origin}/login${query}`, { method: 'POST' })
      expect(answer.headers.get('location')).toBe('/auth/signin?callbackUrl=%2F')
    })

    it('resolves with the URL, and the same request then has the session', async () => {
      const { origin, base } = await application()
      const visitor = visit(base)
      const answer = await visitor.send(`${origin}/quiet-login`, right)
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { url: `${origin}/`, name: 'Ann' },
      ])
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it('sends people to a provider', async () => {
      const provider = {
        id: 'op',
        name: 'OP',
        type: 'oauth' as const,
        clientId: 'client',
        clientSecret: 'secret',
        authorization: 'https://op.example/authorize',
        token: 'https://op.example/token',
        userinfo: 'https://op.example/me',
      }
      const { origin, base } = await application({ providers: [provider] })
      const visitor = visit(base)
      const answer = await visitor.send(`${origin}/login?with=op`, { method: 'POST' })
      const to = new URL(answer.headers.get('location') ?? '')
      expect(to.origin).toBe('https://op.example')
      expect(to.searchParams.get('redirect_uri')).toBe(`${base}/callback/op`)
      expect([...visitor.cookies.keys()].some(each => each.startsWith('authjs.state'))).toBe(true)
    })

    it('signs out and goes where it is told', async () => {
      const { origin, base } = await application()
      const ann = await visitAsAnn(base)
      const answer = await ann.send(`${origin}/logout`, { method: 'POST' })
      expect([answer.status, answer.headers.get('location')]).toEqual([302, `${origin}/bye`])
      expect(await ann.session()).toBeNull()
    })

    it('resolves with the URL, and the same request then has no session', async () => {
      const { origin, base } = await application()
      const ann = await visitAsAnn(base)
      const answer = await ann.send(`${origin}/quiet-logout`, { method: 'POST' })
      expect(await answer.json()).toEqual({ url: `${origin}/`, before: 'Ann', after: null })
      expect(await ann.session()).toBeNull()
    })

    it('removes the session from the database', async () => {
      const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
      const { origin, base } = await application({ adapter: store.adapter })
      const ann = await visitAsAnn(base)
      expect(store.sessions.size).toBe(1)
      await ann.send(`${origin}/logout`, { method: 'POST' })
      expect(store.sessions.size).toBe(0)
    })
  })
}
