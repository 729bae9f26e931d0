import type { ServerResponse } from 'node:http'
import { type ExpressAuthConfig, SiteAuth } from '@siteauth/express'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { sendRaw } from '../../testing/src/integration.ts'
import { openPage, PAGE, type Send, sendTo } from '../../testing/test/raw-visits.ts'
import { configure, serve, versions, visitAsAnn } from './server.ts'

async function open(app: Express): Promise<Send> {
  const origin = await serve(app)
  return sendTo(origin)
}

const LOOK_ALIKES = [
  '//login',
  '///login',
  '/\\login',
  '/.//login',
  '/x/../login',
  '/x/%2e%2e/login',
  '/%6cogin',
  '/login;x',
]

/** Handlers that count and say that they ran. */
function counter() {
  const counted = {
    ran: 0,
    handler(_req: unknown, res: ServerResponse) {
      counted.ran++
      res.end('secret')
    },
  }
  return counted
}

const answerError: ErrorRequestHandler = (_error, _req, res, _next) => {
  res.status(500).send('failed')
}

describe.each(versions)('$name', ({ name, express }) => {
  const own = (over: Partial<ExpressAuthConfig> = {}) =>
    configure({ pages: { signIn: '/login' }, ...over })

  describe('a guard in front', () => {
    async function start(config = own()) {
      const auth = SiteAuth(config)
      const behind = counter()
      const app = express()
      app.use('/auth', auth.handler)
      app.use(auth.requireSession({ except: ['/login', 'POST /login'] }))
      app.get('/login', (_req, res) => void res.send('sign in'))
      app.post('/login', (_req, res) => void res.send('signed in'))
      app.delete('/login', behind.handler)
      app.use(behind.handler)
      return { send: await open(app), behind }
    }

    it('the guard exempts the paths in `except`, by GET, HEAD and, if named, POST', async () => {
      const { send, behind } = await start()
      for (const target of ['/login', '/login?x=1']) {
        expect(await send(target, PAGE)).toMatchObject({ status: 200, body: 'sign in' })
      }
      expect((await send('/login', {}, 'HEAD')).status).toBe(200)
      expect((await send('/login', {}, 'POST')).body).toBe('signed in')
      expect((await send('/login', {}, 'DELETE')).status).toBe(401)
      expect(behind.ran).toBe(0)
    })

    it.each([...LOOK_ALIKES, 'http://evil.example/login', 'http://evil.example//login', '*'])(
      'does not take %s for the sign-in page',
      async target => {
        const { send, behind } = await start()
        const { status, location } = await send(target, PAGE)
        expect(behind.ran).toBe(0)
        expect([status, location]).toEqual([302, expect.stringMatching(/^\/login\?callbackUrl=/)])
        expect((await send(target)).status).toBe(401)
      },
    )

    it('exempts a URL that others have rewritten only if it was exempt before', async () => {
      const rewrite: RequestHandler = (req, _res, next) => {
        req.url = req.url.replace(/^\/(?:fr|v1)(?=\/)/, '')
        if (req.url === '/login?as=admin') req.url = '/admin'
        next()
      }
      const auth = SiteAuth(own())
      const behind = counter()
      const app = express()
      const before = express()
      for (const [each, handlers] of [
        [app, [rewrite, auth.requireSession({ except: ['/login'] })]],
        [before, [auth.requireSession({ except: ['/fr/login'] }), rewrite]],
      ] as const) {
        for (const handler of handlers) each.use(handler as RequestHandler)
        each.get('/login', (_req, res) => void res.send('sign in'))
        each.use(behind.handler)
      }
      const send = await open(app)
      expect((await send('/login')).body).toBe('sign in')
      for (const target of ['/fr/login', '/login?as=admin', '/v1//login']) {
        expect((await send(target)).status).toBe(401)
      }
      expect((await (await open(before))('/fr/login')).body).toBe('sign in')
      expect(behind.ran).toBe(0)
    })

    it('exempts nothing that a handler can read as another path', async () => {
      const auth = SiteAuth(own())
      const sent: string[] = []
      const app = express()
      app.use(auth.requireSession({ except: ['/login', '/'] }))
      app.use((req, res) => void res.send(`${sent.push(req.originalUrl)}`))
      const send = await open(app)
      const targets = [
        '/login#/../secret',
        '/login\\..\\secret',
        'http://evil/login',
        '/#/secret',
        '//',
      ]
      for (const target of targets)
        expect([target, (await send(target)).status]).toEqual([target, 401])
      expect(sent).toEqual([])
    })

    it('exempts nothing below an optional mount of a rewritten URL', async () => {
      const auth = SiteAuth(own())
      const behind = counter()
      const app = express()
      app.use((req, _res, next) => {
        req.url = req.url.replace(/^\/v1(?=\/)/, '')
        next()
      })
      const guard = auth.requireSession({ except: ['/login'] }) as unknown as RequestHandler
      app.use(name === 'Express 4' ? '/:lang?' : '/{:lang}', guard, behind.handler)
      const send = await open(app)
      for (const target of ['/v1//login', '//login', '/v1/x/login']) {
        expect((await send(target)).status).toBe(401)
      }
      expect(behind.ran).toBe(0)
    })

    it('compares the method that was put in place of the one that was sent', async () => {
      const auth = SiteAuth(own())
      const behind = counter()
      const app = express()
      app.use((req, _res, next) => {
        req.method = String(req.headers['x-http-method-override'] ?? req.method)
        next()
      })
      app.use(auth.requireSession({ except: ['/login', 'POST /login'] }))
      app.post('/login', (_req, res) => void res.send('signed in'))
      app.use(behind.handler)
      const send = await open(app)
      expect((await send('/login', {}, 'POST')).body).toBe('signed in')
      for (const method of ['DELETE', 'PUT', 'get', 'PROPFIND']) {
        const headers = { 'x-http-method-override': method }
        expect((await send('/login', headers, 'POST')).status).toBe(401)
      }
      expect(behind.ran).toBe(0)
    })
  })

  describe('below a mount, a guard exempts nothing:', () => {
    const mounts: [string, (guard: RequestHandler, behind: RequestHandler) => Express][] = [
      [
        'a Router',
        (guard, behind) =>
          express().use('/x', express.Router().use(guard).get('/login', behind).use(behind)),
      ],
      [
        'a Router in a Router',
        (guard, behind) =>
          express().use(
            '/x',
            express
              .Router()
              .use('/login', express.Router().use(guard).use(behind))
              .use(express.Router().use(guard).use(behind)),
          ),
      ],
      ['a path', (guard, behind) => express().use('/x', guard, behind)],
      ['a parameter', (guard, behind) => express().use('/:x', guard, behind)],
      ['a regular expression', (guard, behind) => express().use(/^\/x/, guard, behind)],
      ['an application', (guard, behind) => express().use('/x', express().use(guard).use(behind))],
    ]
    it.each(mounts)('%s', async (_, mount) => {
      const auth = SiteAuth(own())
      const behind = counter()
      const guard = auth.requireSession({ except: ['/login', '/'] }) as unknown as RequestHandler
      const send = await open(mount(guard, behind.handler))
      for (const target of ['/x/login', '/x//login', '/x', '/x/', '/x/login/', '/x/../login']) {
        expect((await send(target)).status).toBe(401)
      }
      expect(behind.ran).toBe(0)
    })
  })

  it('a Router without a path exempts what its application routes there', async () => {
    const auth = SiteAuth(own())
    const behind = counter()
    const router = express.Router()
    router.use(auth.requireSession({ except: ['/login'] }))
    router.get('/login', (_req, res) => void res.send('sign in'))
    router.use(behind.handler)
    const send = await open(express().use('/', router))
    expect((await send('/login')).body).toBe('sign in')
    for (const target of LOOK_ALIKES) expect((await send(target)).status).toBe(401)
    expect(behind.ran).toBe(0)
  })

  describe('a guard of a route', () => {
    async function start() {
      const auth = SiteAuth(own())
      const behind = counter()
      const app = express()
      app.use('/auth', auth.handler)
      app.get(/^\/.*/, auth.requireSession(), behind.handler)
      return { send: await open(app), behind }
    }

    it.each(['/login', ...LOOK_ALIKES])('exempts nothing, not even %s', async target => {
      const { send, behind } = await start()
      const { status } = await send(target, PAGE)
      expect(behind.ran).toBe(0)
      expect(status).toBe(302)
    })

    it('only users that `allow` accepts pass, also if it returns a promise', async () => {
      const auth = SiteAuth(own())
      const behind = counter()
      const rules = { '/now': () => false, '/later': async () => false, '/list': () => [] as never }
      const app = express().use('/auth', auth.handler)
      for (const [path, allow] of Object.entries(rules)) {
        app.get(path, auth.requireSession({ allow }), behind.handler)
      }
      const down = () => Promise.reject(new Error('down'))
      app.get('/down', auth.requireSession({ allow: down }), behind.handler)
      app.get(
        '/ann',
        auth.requireSession({ allow: async ({ user }) => user?.name === 'Ann' }),
        (_req, res) => {
          res.send('for Ann')
        },
      )
      app.use(answerError)
      const origin = await serve(app)
      const ann = await visitAsAnn(`${origin}/auth`)
      for (const path of Object.keys(rules)) {
        expect((await ann.get(`${origin}${path}`)).status).toBe(403)
      }
      expect((await ann.get(`${origin}/down`)).status).toBe(500)
      expect(await (await ann.get(`${origin}/ann`)).text()).toBe('for Ann')
      expect((await sendRaw(origin, { target: '/ann' })).status).toBe(401)
      expect(behind.ran).toBe(0)
    })
  })

  it.each(['evil\\login?', 'evil/login?', 'evil#', 'evil\\login#', '', 'x@evil', 'evil,evil'])(
    'the Host header %j gets 400 from all that the library answers or guards',
    async host => {
      const auth = SiteAuth(own())
      const behind = counter()
      const app = express()
      app.use('/auth', auth.handler)
      app.get('/account', auth.requireSession({ except: ['/account'] }), behind.handler)
      app.get('/page', auth.sessionMiddleware, behind.handler)
      app.get('/who', async (req, res) => void res.json(await auth.getSession(req)))
      const send = await open(app)
      for (const target of ['/account', '/page', '/auth/session', '/auth/x', '/auth/signin']) {
        expect([target, (await send(target, { host })).status]).toEqual([target, 400])
      }
      expect(behind.ran).toBe(0)
      expect(await send('/who', { host })).toMatchObject({ status: 200, body: 'null' })
    },
  )

  it('a sign-in page behind the guard ends in 508, and the log says once what to do', async () => {
    const config = own()
    const auth = SiteAuth(config)
    const behind = counter()
    const send = await open(express().use(auth.requireSession()).use(behind.handler))
    for (let time = 0; time < 3; time++) {
      const visited = await openPage(send, '/')
      expect([visited.length, visited.at(-1)?.status]).toEqual([2, 508])
    }
    expect(behind.ran).toBe(0)
    expect(config.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('add "/login" to the option except'),
    ])
  })
})
