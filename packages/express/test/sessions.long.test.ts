import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Credentials from '@siteauth/core/providers/credentials'
import {
  type AuthInstance,
  type ExpressAuthConfig,
  getSession,
  ServerAuth,
  SiteAuth,
} from '@siteauth/express'
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { memoryAdapter } from '../../core/test/spec/memory-adapter.ts'
import type { Visitor } from '../../core/test/visitor.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

const DAY = 24 * 60 * 60 * 1000

/** A clock that the tests move, and how often sessions were looked at. */
function observed(over: Parameters<typeof configure>[0] = {}) {
  const clock = { now: Date.now() }
  const seen: unknown[] = []
  const config = configure({
    ports: { now: () => clock.now },
    events: { session: message => void seen.push(message) },
    ...over,
  })
  return { config, clock, seen }
}

function cookiesOf(answer: Response): string[] {
  return answer.headers.getSetCookie().map(line => line.split('=')[0] ?? '')
}

for (const { name, express } of versions) {
  describe(name, () => {
    async function start(
      config: ExpressAuthConfig,
      routes: Record<string, RequestHandler>,
      set: (app: Express) => void = () => {},
    ): Promise<{ ann: Visitor; origin: string }> {
      const app = express()
      set(app)
      app.use('/auth', ServerAuth(config))
      for (const [path, handler] of Object.entries(routes)) app.get(path, handler)
      const report: ErrorRequestHandler = (error, _req, res, _next) =>
        void res.status(500).json({ type: error.type })
      app.use(report)
      const origin = await serve(app)
      const ann = await visitAsAnn(`${origin}/auth`)
      return { ann, origin }
    }

    it('answers who is signed in, and null for nobody', async () => {
      const config = configure()
      const { ann, origin } = await start(config, {
        '/who': async (req, res) => void res.json(await getSession(req, config)),
      })
      const who = await ann.get(`${origin}/who`)
      expect(await who.json()).toMatchObject({ user: { name: 'Ann', email: 'ann@example.test' } })
      expect(await (await fetch(`${origin}/who`)).json()).toBeNull()
    })

    it.each(['jwt', 'database'] as const)('signs a user out everywhere: %s', async strategy => {
      const adapter = MemoryAdapter()
      const { id } = await adapter.createUser({
        id: 'ann',
        email: 'ann@example.test',
        emailVerified: null,
      })
      const config = configure({
        adapter,
        session: { strategy },
        providers: [Credentials({ credentials: {}, authorize: () => ({ id, name: 'Ann' }) })],
      })
      const { ann, origin } = await start(config, {
        '/who': async (req, res) => void res.json(await getSession(req, config)),
      })
      await ann.post('/callback/credentials')
      expect(await (await ann.get(`${origin}/who`)).json()).not.toBeNull()
      await SiteAuth(config).users.endSessions(id)
      expect(await (await ann.get(`${origin}/who`)).json()).toBeNull()
    })

    it('gives a session a new token, and shows it as it was to the same request', async () => {
      const config = configure()
      const auth = SiteAuth(config)
      const { ann, origin } = await start(config, {
        '/rotate': async (req, res) => {
          const rotated = await auth.sessions.rotate(req)
          res.json([rotated, await getSession(req, config)])
        },
      })
      const before = ann.cookies.get('authjs.session-token')
      const [rotated, read] = (await (await ann.get(`${origin}/rotate`)).json()) as unknown[]
      expect(rotated).toMatchObject({ user: { name: 'Ann' } })
      expect(read).toMatchObject({ user: { name: 'Ann' } })
      expect(ann.cookies.get('authjs.session-token')).not.toBe(before)
      expect(await (await fetch(`${origin}/rotate`)).json()).toEqual([null, null])
    })

    it('sets no cookie for anybody who comes without one', async () => {
      const config = configure()
      const auth = SiteAuth(config)
      const { origin } = await start(config, {
        '/who': async (req, res) => void res.json(await auth.getSession(req)),
      })
      expect(cookiesOf(await fetch(`${origin}/who`))).toEqual([])
    })

    it('renews the cookie when it is due and there is a response, not before', async () => {
      const { config, clock } = observed()
      const auth = SiteAuth(config)
      const { ann, origin } = await start(config, {
        '/read': async (req, res) => void res.json(await getSession(req, config)),
        '/renew': async (req, res) => void res.json(await auth.getSession(req)),
      })
      expect(cookiesOf(await ann.get(`${origin}/renew`))).toEqual([])
      clock.now += 2 * DAY
      expect(cookiesOf(await ann.get(`${origin}/read`))).toEqual([])
      expect(cookiesOf(await ann.get(`${origin}/renew`))).toEqual(['authjs.session-token'])
      clock.now += 29 * DAY
      expect(await (await ann.get(`${origin}/read`)).json()).toMatchObject({
        user: { name: 'Ann' },
      })
    })

    it('removes the cookie of a session that has ended', async () => {
      const { config, clock } = observed()
      const auth = SiteAuth(config)
      const { ann, origin } = await start(config, {
        '/renew': async (req, res) => void res.json(await auth.getSession(req)),
      })
      clock.now += 31 * DAY
      const answer = await ann.get(`${origin}/renew`)
      expect(await answer.json()).toBeNull()
      expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
    })

    it('reads once for one request, however often it is asked', async () => {
      const { config, clock, seen } = observed()
      const auth = SiteAuth(config)
      const { ann, origin } = await start(config, {
        '/often': async (req, res) => {
          const together = await Promise.all([
            auth.getSession(req),
            auth.getSession(req),
            getSession(req, config),
          ])
          const again = await getSession(req, config)
          res.json(together.every(each => each === again))
        },
      })
      seen.length = 0
      clock.now += 2 * DAY
      const answer = await ann.get(`${origin}/often`)
      expect(await answer.json()).toBe(true)
      expect(seen).toHaveLength(1)
      expect(cookiesOf(answer)).toEqual(['authjs.session-token'])
    })

    describe.each(['jwt', 'database'] as const)('with sessions by %s', strategy => {
      async function startWith(
        ask: (req: Request, auth: AuthInstance, config: ExpressAuthConfig) => unknown,
      ) {
        const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
        const adapter = strategy === 'database' ? { adapter: store.adapter } : {}
        const { config, clock, seen } = observed(adapter)
        const auth = SiteAuth(config)
        const { ann, origin } = await start(config, {
          '/ask': async (req, res) => {
            await ask(req, auth, config)
            res.end()
          },
        })
        seen.length = 0
        store.calls.length = 0
        const reads = () => store.calls.filter(call => call === 'getSessionAndUser').length
        return { clock, seen, reads, ask: () => ann.get(`${origin}/ask`) }
      }

      it.each([
        [
          'one after the other',
          async (req: Request, auth: AuthInstance, config: ExpressAuthConfig) => {
            await getSession(req, config)
            await auth.getSession(req)
            await getSession(req, config)
          },
        ],
        [
          'together',
          (req: Request, auth: AuthInstance, config: ExpressAuthConfig) =>
            Promise.all([getSession(req, config), auth.getSession(req)]),
        ],
      ])('reads once where only a later call can renew, asked %s', async (_how, calls) => {
        const { ask, reads, seen } = await startWith(calls)
        expect(cookiesOf(await ask())).toEqual([])
        expect(seen).toHaveLength(1)
        expect(reads()).toBe(strategy === 'database' ? 1 : 0)
      })

      it('renews what is due, also where the first call could not', async () => {
        const { ask, clock } = await startWith(async (req, auth, config) => {
          await getSession(req, config)
          await auth.getSession(req)
        })
        clock.now += 2 * DAY
        expect(cookiesOf(await ask())).toEqual(['authjs.session-token'])
      })

      it('removes the cookie of what has ended, also where the first call could not', async () => {
        const { ask, clock, reads } = await startWith(async (req, auth, config) => {
          await getSession(req, config)
          await auth.getSession(req)
        })
        clock.now += 31 * DAY
        expect((await ask()).headers.getSetCookie()[0]).toContain('Max-Age=0')
        expect(reads()).toBe(strategy === 'database' ? 1 : 0)
      })
    })

    it('opens a token once for one request, also where none is remembered for longer', async () => {
      const config = configure({ jwt: { cacheBytes: 0 } })
      const { ann, origin } = await start(config, {
        '/twice': async (req, res) => {
          const [first, second] = [await getSession(req, config), await getSession(req, config)]
          res.json({ name: first?.user?.name, isSame: first === second })
        },
      })
      const answer = await ann.get(`${origin}/twice`)
      expect(await answer.json()).toEqual({ name: 'Ann', isSame: true })
    })

    it('keeps the sessions of two configurations apart', async () => {
      const config = configure()
      const other = configure({ secret: 'another secret that is long enough' })
      const { ann, origin } = await start(config, {
        '/both': async (req, res) =>
          void res.json([await getSession(req, config), await getSession(req, other)]),
      })
      const both = await (await ann.get(`${origin}/both`)).json()
      expect(both).toEqual([expect.objectContaining({ user: expect.anything() }), null])
    })

    it('renews nothing after the answer has begun', async () => {
      const { config, clock } = observed()
      const auth = SiteAuth(config)
      const { ann, origin } = await start(config, {
        '/late': async (req, res) => {
          res.write('begun ')
          res.end((await auth.getSession(req))?.user?.name)
        },
      })
      clock.now += 2 * DAY
      expect(await (await ann.get(`${origin}/late`)).text()).toBe('begun Ann')
    })

    it('throws where it cannot be known who is signed in', async () => {
      const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
      const config = configure({ adapter: store.adapter })
      const { ann, origin } = await start(config, {
        '/who': (req, res, next) => {
          getSession(req, config).then(found => res.json(found), next)
        },
      })
      expect(await (await ann.get(`${origin}/who`)).json()).toMatchObject({ user: { name: 'Ann' } })
      store.adapter.getSessionAndUser = () => Promise.reject(new Error('the store is down'))
      const answer = await ann.get(`${origin}/who`)
      expect([answer.status, await answer.json()]).toEqual([500, { type: 'SessionTokenError' }])
    })

    it('throws what is wrong with the configuration', async () => {
      const config = configure({ secret: '', trustHost: true })
      const app = express()
      app.get('/who', (req, res) => {
        getSession(req, config).then(
          () => res.json('no error'),
          error => res.json(error.type),
        )
      })
      expect(await (await fetch(`${await serve(app)}/who`)).json()).toBe('MissingSecret')
    })

    it('puts the session on res.locals, for every handler and template behind', async () => {
      const { config, seen } = observed()
      const { ann, origin } = await start(
        config,
        {
          '/page': async (req, res) => {
            await getSession(req, config)
            res.json(res.locals['session'])
          },
        },
        app => app.use(SiteAuth(config).sessionMiddleware),
      )
      expect(await (await fetch(`${origin}/page`)).json()).toBeNull()
      seen.length = 0
      const page = await ann.get(`${origin}/page`)
      expect(await page.json()).toMatchObject({ user: { name: 'Ann' } })
      expect(seen).toHaveLength(1)
    })

    it('works as section 5.8 of the specification says', async () => {
      const config = configure()
      const authenticatedUser: RequestHandler = async (req, res, next) => {
        const found = res.locals['session'] ?? (await getSession(req, config))
        if (!found?.user) {
          res.redirect('/login')
        } else {
          next()
        }
      }
      const { ann, origin } = await start(config, {}, app => {
        app.get('/profile', authenticatedUser, (_req, res) => void res.send('profile'))
        app.use(
          '/admin',
          express
            .Router()
            .use(authenticatedUser)
            .get('/users', (_req, res) => void res.send('users')),
        )
      })
      for (const path of ['/profile', '/admin/users']) {
        const stranger = await fetch(origin + path, { redirect: 'manual' })
        expect([stranger.status, stranger.headers.get('location')]).toEqual([302, '/login'])
        expect((await ann.get(origin + path)).status).toBe(200)
      }
    })

    it('works as section 5.9 of the specification says', async () => {
      const config = configure()
      const authSession: RequestHandler = async (req, res, next) => {
        res.locals['session'] = await getSession(req, config)
        next()
      }
      const { ann, origin } = await start(
        config,
        { '/': (_req, res) => void res.send(`Hello, ${res.locals['session']?.user.name}`) },
        app => app.use(authSession),
      )
      expect(await (await ann.get(`${origin}/`)).text()).toBe('Hello, Ann')
    })
  })
}

describe('a request that did not come through Express', () => {
  it('has a session too', async () => {
    const [{ express }] = versions
    const config = configure()
    const ann = await visitAsAnn(`${await serve(express().use('/auth', ServerAuth(config)))}/auth`)
    const server = createServer(async (req, res) => {
      res.end((await getSession(req, config))?.user?.name)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const answer = await ann.get(`http://127.0.0.1:${port}/`)
    expect(await answer.text()).toBe('Ann')
    server.closeAllConnections()
    server.close()
  })
})
