import { ServerAuth, SiteAuth } from '@siteauth/express'
import type { Express, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { configure, sendRaw, serve, versions, visit, visitAsAnn } from './server.ts'

type Factory = (typeof versions)[number]['express']

/** Mounts the endpoints below a prefix. */
type Mount = (app: Express, prefix: string, auth: RequestHandler, express: Factory) => void

const inBoth: Record<string, Mount> = {
  'app.use(path)': (app, prefix, auth) => app.use(`${prefix}/auth`, auth),
  'app.use(path with a slash at its end)': (app, prefix, auth) => app.use(`${prefix}/auth/`, auth),
  'app.use(regular expression)': (app, prefix, auth) =>
    app.use(new RegExp(`^${prefix}/auth/.*`), auth),
  'app.use(regular expression with a group)': (app, prefix, auth) =>
    app.use(new RegExp(`^${prefix}/auth/(.*)`), auth),
  'app.use(regular expression up to the border)': (app, prefix, auth) =>
    app.use(new RegExp(`^${prefix}/auth`), auth),
  'app.all(regular expression)': (app, prefix, auth) =>
    app.all(new RegExp(`^${prefix}/auth/.*`), auth),
  'app.use(several paths)': (app, prefix, auth) =>
    app.use([`${prefix}/elsewhere`, `${prefix}/auth`], auth),
  'nested routers': (app, prefix, auth, express) => {
    const router = express.Router()
    router.use('/auth', auth)
    const outer = express.Router()
    outer.use(router)
    app.use(prefix || '/', outer)
  },
  'an application in an application': (app, prefix, auth, express) => {
    const inner = express()
    inner.use('/auth', auth)
    app.use(prefix || '/', inner)
  },
  'a middleware without a path in a router': (app, prefix, auth, express) => {
    const router = express.Router()
    router.use(auth)
    app.use(`${prefix}/auth`, router)
  },
}

const onlyIn: Record<4 | 5, Record<string, Mount>> = {
  4: {
    "app.use('/auth/*')": (app, prefix, auth) => app.use(`${prefix}/auth/*`, auth),
    "app.all('/auth/*')": (app, prefix, auth) => app.all(`${prefix}/auth/*`, auth),
    "app.use('/auth*')": (app, prefix, auth) => app.use(`${prefix}/auth*`, auth),
    "app.use('/auth/:action/:provider?')": (app, prefix, auth) =>
      app.use(`${prefix}/auth/:action/:provider?`, auth),
    "router.use('/auth/*')": (app, prefix, auth, express) =>
      app.use(prefix || '/', express.Router().use('/auth/*', auth)),
  },
  5: {
    "app.use('/auth/*splat')": (app, prefix, auth) => app.use(`${prefix}/auth/*splat`, auth),
    "app.use('/auth/{*splat}')": (app, prefix, auth) => app.use(`${prefix}/auth/{*splat}`, auth),
    "app.use('/auth{/*splat}')": (app, prefix, auth) => app.use(`${prefix}/auth{/*splat}`, auth),
    "app.all('/auth/*splat')": (app, prefix, auth) => app.all(`${prefix}/auth/*splat`, auth),
    "app.use('/auth/:action{/:provider}')": (app, prefix, auth) =>
      app.use(`${prefix}/auth/:action{/:provider}`, auth),
    "router.use('/auth/*splat')": (app, prefix, auth, express) =>
      app.use(prefix || '/', express.Router().use('/auth/*splat', auth)),
  },
}

// The last ones contain what names an endpoint, which must not be taken for one.
const prefixes = ['', '/app', '/api/v1', '/session', '/callback/signin']

for (const { name, express, major } of versions) {
  describe(name, () => {
    for (const [form, mount] of Object.entries({ ...inBoth, ...onlyIn[major] })) {
      describe(form, () => {
        async function start(prefix: string) {
          const app = express()
          mount(app, prefix, ServerAuth(configure()), express)
          app.use((_req, res) => void res.status(418).end())
          const origin = await serve(app)
          return { base: `${origin}${prefix}/auth`, origin }
        }

        it.each(prefixes)('says in URLs that it is below "%s"', async prefix => {
          const { base } = await start(prefix)
          expect(await (await visit(base).get('/providers')).json()).toMatchObject({
            credentials: {
              signinUrl: `${base}/signin/credentials`,
              callbackUrl: `${base}/callback/credentials`,
            },
          })
        })

        it('signs in and out', async () => {
          const { base, origin } = await start('/callback/signin')
          const visitor = await visitAsAnn(base)
          expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
          const out = await visitor.post('/signout')
          expect([out.status, out.headers.get('location')]).toEqual([302, origin])
          expect(await visitor.session()).toBeNull()
        })

        it('answers what is no endpoint with 404', async () => {
          const { base } = await start('/app')
          expect((await visit(base).get('/nonsense/more')).status).toBe(404)
        })
      })
    }

    it('serves two mounts of one configuration, each with its own URLs', async () => {
      const auth = ServerAuth(configure())
      const app = express().use('/one/auth', auth).use('/two/auth', auth)
      const origin = await serve(app)
      const seen = await Promise.all(
        ['/one/auth', '/two/auth', '/one/auth'].map(async path => {
          const answer = await (await fetch(`${origin}${path}/providers`)).json()
          return (answer as { credentials: { callbackUrl: string } }).credentials.callbackUrl
        }),
      )
      expect(seen).toEqual(
        ['one', 'two', 'one'].map(each => `${origin}/${each}/auth/callback/credentials`),
      )
    })

    it('follows a mount with a parameter', async () => {
      const origin = await serve(express().use('/:tenant/auth', ServerAuth(configure())))
      for (const tenant of ['acme', 'caf%C3%A9', 'session']) {
        const answer = await (await fetch(`${origin}/${tenant}/auth/providers`)).json()
        const callbackUrl = `${origin}/${tenant}/auth/callback/credentials`
        expect(answer).toMatchObject({ credentials: { callbackUrl } })
      }
    })

    it('changes nothing about the configuration, which may be frozen', async () => {
      const config = configure({ basePath: '/elsewhere' })
      const frozen = Object.freeze({ ...config })
      const origin = await serve(express().use('/auth', ServerAuth(frozen)))
      await visitAsAnn(`${origin}/auth`)
      expect(frozen.basePath).toBe('/elsewhere')
    })

    it('warns once where basePath and the mount disagree, and follows the mount', async () => {
      const config = configure({ basePath: '/elsewhere' })
      const origin = await serve(express().use('/auth', ServerAuth(config)))
      const visitor = await visitAsAnn(`${origin}/auth`)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      expect(config.warnings).toEqual(['mount-basepath-mismatch'])
    })

    it.each([
      ['before', ['/account', '/api/auth/session']],
      ['after', ['/api/auth/session', '/account']],
    ])(
      'warns once where a guard, used %s the endpoints, cannot know the mount',
      async (_when, paths) => {
        const config = configure()
        const auth = SiteAuth(config)
        const app = express().use('/api/auth', auth.handler)
        const origin = await serve(app.use('/account', auth.requireSession()))
        const accept = 'text/html'
        for (const path of [...paths, ...paths]) {
          await fetch(origin + path, { headers: { accept }, redirect: 'manual' })
        }
        expect(config.warnings).toEqual(['mount-basepath-mismatch'])
      },
    )

    it.each([
      ['at /auth', '/auth', {}],
      ['where basePath says', '/api/auth', { basePath: '/api/auth' }],
      ['anywhere, with a page of the application', '/api/auth', { pages: { signIn: '/login' } }],
    ])('says nothing where a guard finds the endpoints %s', async (_where, mount, over) => {
      const config = configure(over)
      const auth = SiteAuth(config)
      const app = express().use(mount, auth.handler)
      const origin = await serve(app.use('/account', auth.requireSession()))
      await fetch(`${origin}${mount}/session`)
      await fetch(`${origin}/account`, { headers: { accept: 'text/html' }, redirect: 'manual' })
      expect(config.warnings).toEqual([])
    })

    it.each(['/a/b/providers', '/x/signin/credentials', '/auth/session'])(
      'answers %s below a plain mount with 404',
      async path => {
        const origin = await serve(express().use('/auth', ServerAuth(configure())))
        expect((await fetch(`${origin}/auth${path}`)).status).toBe(404)
      },
    )

    it('takes a basePath that ends like the mount for what browsers see', async () => {
      const config = configure({ basePath: '/prefix/auth' })
      const origin = await serve(express().use('/auth', ServerAuth(config)))
      const answer = await (await fetch(`${origin}/auth/providers`)).json()
      const callbackUrl = `${origin}/prefix/auth/callback/credentials`
      expect(answer).toMatchObject({ credentials: { callbackUrl } })
      expect(config.warnings).toEqual([])
    })

    it('says nothing where basePath is what the routers add to', async () => {
      const config = configure({ basePath: '/auth' })
      const router = express.Router().use('/auth', ServerAuth(config))
      const origin = await serve(express().use('/app', router))
      await visitAsAnn(`${origin}/app/auth`)
      expect(config.warnings).toEqual([])
    })

    it.each(['/auth//session', '/auth/session/', '/auth/session?x=1', '/AUTH/session'])(
      'finds the session at %s',
      async path => {
        const origin = await serve(express().use('/auth', ServerAuth(configure())))
        const answer = await fetch(origin + path)
        expect([answer.status, await answer.json()]).toEqual([200, null])
      },
    )

    describe.each<[string, (app: Express, auth: RequestHandler) => unknown]>([
      ['at the root', (app, auth) => app.use(auth)],
      ['by app.use(/.*/)', (app, auth) => app.use(/.*/, auth)],
      ['by app.use(/(.*)/)', (app, auth) => app.use(/(.*)/, auth)],
      ['by app.all(/.*/)', (app, auth) => app.all(/.*/, auth)],
      ['by app.use(wildcard)', (app, auth) => app.use(major === 4 ? '*' : '/*splat', auth)],
      ['by app.all(wildcard)', (app, auth) => app.all(major === 4 ? '*' : '/*splat', auth)],
      ['by app.use(/.*\\/auth/)', (app, auth) => app.use(/.*\/auth/, auth)],
    ])('mounted %s', (_how, mount) => {
      async function start(over: Parameters<typeof configure>[0] = {}) {
        const app = express()
        mount(app, ServerAuth(configure(over)))
        return serve(app)
      }
      const accept = 'text/html'

      it.each([{}, { basePath: '/auth' }])(
        'leads nowhere from another host, with %j',
        async over => {
          const origin = await start(over)
          for (const path of [
            '//evil.example/signin',
            '//evil.example/auth/signin',
            '/\\evil.example/signin',
            '/\\evil.example/auth/signin',
            '///evil.example/auth/signin',
            '/x//evil.example/auth/signin',
            '//evil.example/nothing',
            'http://inner//evil.example/auth/signin',
          ]) {
            const { statusCode, text } = await sendRaw(origin, { accept }, path)
            expect(statusCode, path).toBe(404)
            expect(text, path).not.toMatch(/(?:src|href|action)="[^"]*evil/)
          }
        },
      )

      it.each(['/static/img/session', '/static/signin', '/a/b/callback/credentials'])(
        'answers %s with 404, with and without a basePath',
        async path => {
          expect((await fetch((await start()) + path)).status).toBe(404)
          expect((await fetch((await start({ basePath: '/auth' })) + path)).status).toBe(404)
        },
      )

      it('has its endpoints at the basePath that is given', async () => {
        const origin = await start({ basePath: '/auth' })
        const ann = await visitAsAnn(`${origin}/auth`)
        expect(await ann.session()).toMatchObject({ user: { name: 'Ann' } })
        expect((await fetch(`${origin}/session`)).status).toBe(404)
      })
    })

    it('serves endpoints at the root', async () => {
      const origin = await serve(express().use(ServerAuth(configure())))
      expect(await (await visitAsAnn(origin)).session()).toMatchObject({ user: { name: 'Ann' } })
      const answer = await (await fetch(`${origin}/providers`)).json()
      const callbackUrl = `${origin}/callback/credentials`
      expect(answer).toMatchObject({ credentials: { callbackUrl } })
    })
  })
}
