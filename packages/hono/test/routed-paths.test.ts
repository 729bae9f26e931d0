import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type HonoAuthConfig, initAuthConfig, SiteAuth, verifyAuth } from '@siteauth/hono'
import { Hono } from 'hono'
import { methodOverride } from 'hono/method-override'
import { LinearRouter } from 'hono/router/linear-router'
import { PatternRouter } from 'hono/router/pattern-router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { afterEach, describe, expect, it } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { openPage, PAGE, type Send, sendTo } from '../../testing/test/raw-visits.ts'
import { keepOwnGlobals } from './own-globals.ts'

const running: ServerType[] = []

keepOwnGlobals()

afterEach(async () => {
  for (const server of running.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
})

async function serve(app: Hono): Promise<Send> {
  const server = createAdaptorServer(app)
  running.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return sendTo(origin)
}

const own = { ...config, pages: { signIn: '/login' } } satisfies HonoAuthConfig

const LOOK_ALIKES = [
  '/x/../login',
  '/x/%2e%2e/login',
  '/login#/../x',
  '//login',
  '///login',
  '/.//login',
  '/LOGIN',
  '/login/',
  '/%6cogin',
  '/%256cogin',
  '/login;x',
  '/x%2f..%2flogin',
  'http://evil.example/login',
  'http://evil.example//login',
]

const ROUTERS = {
  'as Hono chooses': () => new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] }),
  RegExpRouter: () => new RegExpRouter(),
  TrieRouter: () => new TrieRouter(),
  LinearRouter: () => new LinearRouter(),
  PatternRouter: () => new PatternRouter(),
}

/** An application with one guard in front, whose other handlers count that they ran. */
function inFront(app: Hono) {
  const auth = SiteAuth(own)
  const behind = { ran: 0 }
  app.use(auth.handler)
  app.use(auth.requireSession({ except: ['/login', 'POST /login'] }))
  app.get('/login', c => c.text('sign in'))
  app.post('/login', c => c.text('signed in'))
  app.delete('/login', c => c.text(`secret ${++behind.ran}`))
  app.get('*', c => c.text(`secret ${++behind.ran}`))
  return { app, behind }
}

describe.each(Object.entries(ROUTERS))('a guard in front, router: %s', (_, createRouter) => {
  it('the guard exempts the paths in `except`, by GET, HEAD and, if named, POST', async () => {
    const { app, behind } = inFront(new Hono({ router: createRouter() as never }))
    const send = await serve(app)
    for (const target of ['/login', '/login?x=1']) {
      expect(await send(target, PAGE)).toMatchObject({ status: 200, body: 'sign in' })
    }
    expect((await send('/login', {}, 'HEAD')).status).toBe(200)
    expect((await send('/login', {}, 'POST')).body).toBe('signed in')
    expect((await send('/login', {}, 'DELETE')).status).toBe(401)
    expect(behind.ran).toBe(0)
  })

  it.each(LOOK_ALIKES)('does not take %s for the sign-in page', async target => {
    const { app, behind } = inFront(new Hono({ router: createRouter() as never }))
    const send = await serve(app)
    const { status, location } = await send(target, PAGE)
    expect(behind.ran).toBe(0)
    expect([status, location]).toEqual([302, expect.stringMatching(/^\/login\?callbackUrl=/)])
    expect((await send(target)).status).toBe(401)
  })
})

it('/\\login is a bad request to the server, and not the sign-in page', async () => {
  const { app, behind } = inFront(new Hono())
  const send = await serve(app)
  expect((await send('/\\login', PAGE)).status).toBe(400)
  expect((await app.request('http://localhost/\\login', { headers: PAGE })).status).toBe(302)
  expect(behind.ran).toBe(0)
})

describe('a guard in front of an application that', () => {
  it('does not mind a slash at the end exempts the path without it', async () => {
    const { app, behind } = inFront(new Hono({ strict: false }))
    const send = await serve(app)
    expect((await send('/login')).body).toBe('sign in')
    expect((await send('/login/')).status).toBe(401)
    expect((await send('//login')).status).toBe(401)
    expect(behind.ran).toBe(0)
  })

  it('routes by something else than the path exempts nothing', async () => {
    const auth = SiteAuth(own)
    const app = new Hono({ getPath: request => `/at/${request.headers.get('x-tenant')}` })
    app.use(auth.handler)
    app.use(auth.requireSession({ except: ['/login', '/at/open'] }))
    app.get('*', c => c.text(c.req.path))
    const send = await serve(app)
    expect((await send('/login')).status).toBe(401)
    expect((await send('/login', { 'x-tenant': '../../login' })).status).toBe(401)
    expect((await send('/x', { 'x-tenant': 'open' })).status).toBe(401)
  })

  it('hands requests to an application for Node exempts none that has another path there', async () => {
    const auth = SiteAuth(own)
    const received: (string | undefined)[] = []
    const app = new Hono()
    app.use(auth.handler)
    app.use(auth.requireSession({ except: ['/login', 'POST /login'] }))
    app.all('*', c => {
      const { incoming, outgoing } = c.env as HttpBindings // of the server for Node
      received.push(incoming.url)
      outgoing.end('from Node')
      return RESPONSE_ALREADY_SENT
    })
    const send = await serve(app)
    const targets = ['/admin/../login', '/admin/%2e%2e/login', '/login#/admin']
    for (const target of targets) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect([target, (await send(target, {}, method)).status]).toEqual([target, 401])
      }
    }
    expect((await send('/login?x=1')).body).toBe('from Node')
    expect(received).toEqual(['/login?x=1'])
  })

  it.each([
    'http://evil\\admin\\users\\7?/login',
    'http://evil?/login',
    'http://evil#/login',
    'http://[::1]/admin?/login',
    'http://evil/admin/../login',
  ])('is handed the URL %s as it was sent, as in Deno, exempts nothing', async url => {
    const { app, behind } = inFront(new Hono({ getPath: () => '/login' }))
    const request = new Request('http://localhost/', { headers: PAGE })
    Object.defineProperty(request, 'url', { value: url })
    expect((await app.fetch(request)).status).toBe(302)
    expect(behind.ran).toBe(0)
  })

  it('has another method put in place of the one that was sent goes by that', async () => {
    const auth = SiteAuth(own)
    const behind = { ran: 0 }
    const app = new Hono()
    app.use(auth.handler)
    app.use(auth.requireSession({ except: ['/login', 'POST /login'] }))
    app.use('/login', methodOverride({ app, header: 'x-http-method-override' }))
    app.post('/login', c => c.text('signed in'))
    app.all('*', c => c.text(`secret ${++behind.ran}`))
    const send = await serve(app)
    expect((await send('/login', {}, 'POST')).body).toBe('signed in')
    const overridden = await send('/login', { 'x-http-method-override': 'DELETE' }, 'POST')
    expect(overridden.status).toBe(401)
    expect(behind.ran).toBe(0)
  })
})

describe('below a mount, a guard exempts nothing that only ends alike:', () => {
  const auth = SiteAuth(own)
  const guarded = () => {
    const inner = new Hono()
    inner.use(auth.requireSession({ except: ['/login', '/x/open'] }))
    inner.get('/login', c => c.text('secret'))
    inner.get('/open', c => c.text('open'))
    return inner
  }
  const mounts: [string, () => Hono][] = [
    ['route()', () => new Hono().use(auth.handler).route('/x', guarded())],
    [
      'basePath()',
      () => {
        const app = new Hono().use(auth.handler)
        const inner = app.basePath('/x')
        inner.use(auth.requireSession({ except: ['/login', '/x/open'] }))
        inner.get('/login', c => c.text('secret'))
        inner.get('/open', c => c.text('open'))
        return app
      },
    ],
    [
      'a path',
      () => {
        const app = new Hono().use(auth.handler)
        app.use('/x/*', auth.requireSession({ except: ['/login', '/x/open'] }))
        app.get('/x/login', c => c.text('secret'))
        app.get('/x/open', c => c.text('open'))
        return app
      },
    ],
  ]
  it.each(mounts)('%s', async (_, mount) => {
    const send = await serve(mount())
    expect((await send('/x/open')).body).toBe('open')
    for (const target of ['/x/login', '/x/../x/login', '/x/%6cogin']) {
      expect((await send(target)).status).toBe(401)
    }
  })

  it('mount(), whose application has another path than the one that was sent', async () => {
    const inner = new Hono().use(auth.handler)
    inner.use(auth.requireSession({ except: ['/login', '/x/login'] }))
    inner.get('*', c => c.text('secret'))
    const send = await serve(new Hono().mount('/x', inner.fetch))
    for (const target of ['/x/login', '/x//login', '/x/x/login', '/x', '/x/']) {
      expect([target, (await send(target)).status]).toEqual([target, 401])
    }
  })
})

describe('a guard of a route', () => {
  it.each(['/login', ...LOOK_ALIKES])('exempts nothing, not even %s', async target => {
    const auth = SiteAuth(own)
    let ran = 0
    const app = new Hono().use(auth.handler)
    app.get('*', auth.requireSession(), c => c.text(`secret ${++ran}`))
    app.on('OPTIONS', '*', auth.requireSession({ allow: () => false }), c => c.text(`${++ran}`))
    const send = await serve(app)
    const { status } = await send(target, PAGE)
    const forbidden = await send(target, await headersOf('Ben'), 'OPTIONS')
    expect(ran).toBe(0)
    expect([status, forbidden.status]).toEqual([302, 403])
  })
})

it.each(['evil\\login?', 'evil/login?', 'evil#', 'x@evil', 'evil,evil', 'evil%2flogin'])(
  'the Host header %j gets 400 from all middleware, on servers that let it pass as well',
  async host => {
    const auth = SiteAuth(own)
    let ran = 0
    const app = new Hono()
    app.get('/handled', auth.handler, c => c.text(`${++ran}`))
    app.get('/guarded', auth.requireSession({ except: ['/guarded'] }), c => c.text(`${++ran}`))
    app.get('/page', auth.sessionMiddleware, c => c.text(`${++ran}`))
    app.use(
      '/auth-js/*',
      initAuthConfig(() => own),
    )
    app.get('/auth-js/mine', verifyAuth(), c => c.text(`${++ran}`))
    const send = await serve(app)
    for (const path of ['/handled', '/guarded', '/page', '/auth-js/mine']) {
      expect((await send(path, { host })).status).toBe(400)
      expect((await app.request(path, { headers: { host } })).status).toBe(400)
    }
    expect(ran).toBe(0)
  },
)

it('a sign-in page behind the guard ends in 508, and the log says once what to do', async () => {
  const errors: Error[] = []
  const logger = { ...config.logger, error: (error: Error) => void errors.push(error) }
  const auth = SiteAuth({ ...own, logger })
  const app = new Hono().use(auth.handler)
  app.use(auth.requireSession())
  app.get('*', c => c.text('secret'))
  const send = await serve(app)
  for (let time = 0; time < 3; time++) {
    const visited = await openPage(send, '/')
    expect([visited.length, visited.at(-1)?.status]).toEqual([2, 508])
  }
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('add "/login" to the option except'),
  ])
})
