import { once } from 'node:events'
import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2'
import { connect } from 'node:net'
import { type FastifyAuthConfig, SiteAuth } from '@siteauth/fastify'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import {
  expectHostRejected,
  openPage,
  PAGE,
  type Send,
  sendTo,
} from '../../testing/test/raw-visits.ts'

const running: FastifyInstance[] = []

afterEach(async () => {
  for (const app of running.splice(0)) await app.close()
})

type Auth = ReturnType<typeof SiteAuth>

/** Serves an application whose handlers say which of them ran. */
async function start(
  addRoutes: (app: FastifyInstance, auth: Auth) => void,
  options: FastifyServerOptions = {},
  over: Partial<FastifyAuthConfig> = { pages: { signIn: '/login' } },
): Promise<Send> {
  const auth = SiteAuth({ ...config, ...over }) as Auth
  const app = Fastify(options)
  running.push(app)
  await app.register(auth.plugin)
  addRoutes(app, auth)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return sendTo(origin)
}

describe.each([
  ['AUTH_URL is set', { AUTH_URL: 'http://localhost' }, { trustHost: false }],
  ['AUTH_TRUST_HOST is set', { AUTH_TRUST_HOST: 'true' }, { trustHost: undefined }],
])('a malformed Host header opens no guarded route if %s', (_, env, over) => {
  it.each(['evil\\login?', 'evil/login?', 'evil\\login#', 'evil/login#', 'evil#'])(
    '%s',
    async host => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      let ran = 0
      const send = await start(
        (app, auth) => {
          app.get('/account', { preHandler: auth.requireSession() }, async () => `${++ran}`)
          const allow = () => false
          app.get('/admin', { preHandler: auth.requireSession({ allow }) }, async () => `${++ran}`)
        },
        {},
        { ...over, pages: { signIn: '/login' } },
      )
      const ben = await headersOf('Ben')
      await expectHostRejected(send, host, ben)
      expect(ran).toBe(0)
      expect((await send('/account', ben)).body).toBe('1')
      expect((await send('/admin', ben)).status).toBe(403)
    },
  )
})

it.each([
  '/admin/../auth/signin',
  '/admin/%2e%2e/auth/signin',
  '/admin/..\\auth\\signin',
  '/admin/x/../../auth/signin',
])('with all defaults, %s does not show what is below /admin', async target => {
  const guarded = await start(
    (app, auth) => {
      app.get('/admin/*', { preHandler: auth.requireSession() }, async () => 'secret')
    },
    {},
    {},
  )
  const inFront = await start(
    (app, auth) => {
      app.addHook('preHandler', auth.requireSession({ except: ['/login'] }))
      app.get('/admin/*', async () => 'secret')
    },
    {},
    {},
  )
  for (const send of [guarded, inFront]) {
    expect(await send(target, PAGE)).toMatchObject({ status: 302, body: '' })
    expect((await send(target)).status).toBe(401)
  }
})

describe('a guard in front', () => {
  const inFront = (app: FastifyInstance, auth: Auth) => {
    app.addHook('preHandler', auth.requireSession({ except: ['/login', 'POST /login'] }))
    app.get('/login', async () => 'sign in')
    app.post('/login', async () => 'signed in')
    app.delete('/login', async () => 'secret')
    app.get('/*', async () => 'secret')
  }

  it('the guard exempts the routes in `except`, by GET, HEAD and, if named, POST', async () => {
    const send = await start(inFront)
    for (const target of ['/login', '/login?x=1', '/login#/../x', '/%6cogin']) {
      expect(await send(target, PAGE)).toMatchObject({ status: 200, body: 'sign in' })
    }
    expect((await send('/login', {}, 'HEAD')).status).toBe(200)
    expect((await send('/login', {}, 'POST')).body).toBe('signed in')
    expect((await send('/login', {}, 'DELETE')).status).toBe(401)
  })

  it.each([
    '//login',
    '///login',
    '/\\login',
    '/.//login',
    '/x/../login',
    '/x/%2e%2e/login',
    '/login/',
    '/LOGIN',
    'http://evil.example/login',
    'http://evil.example//login',
  ])('does not take %s for the sign-in page', async target => {
    const send = await start(inFront)
    expect((await send(target)).status).toBe(401)
    const { status, location } = await send(target, PAGE)
    expect([status, location]).toEqual([302, expect.stringMatching(/^\/login\?callbackUrl=/)])
  })

  it.each([
    ['is lax about paths', { routerOptions: LAX }, ['//login', '/LOGIN', '/login/', '/login;x']],
    ['rewrites them', { rewriteUrl: () => '/login' }, ['/anything']],
  ])('follows a router that %s', async (_, options, targets) => {
    const send = await start(inFront, options)
    for (const target of targets) expect((await send(target)).body).toBe('sign in')
    if (!('rewriteUrl' in options)) expect((await send('/login/x')).status).toBe(401)
  })

  it('is before the answer to a path that has no route', async () => {
    let ran = 0
    const send = await start((app, auth) => {
      app.addHook('preHandler', auth.requireSession({ except: ['/login'] }))
      app.get('/login', async () => 'sign in')
      app.setNotFoundHandler(async () => `${++ran}`)
    })
    for (const target of ['/x', '//login', '/login/', '*']) {
      expect((await send(target)).status).toBe(401)
    }
    expect(ran).toBe(0)
  })

  it('exempts nothing below a prefix that `except` does not name', async () => {
    const send = await start((app, auth) => {
      app.get('/login', async () => 'sign in')
      app.register(
        async scope => {
          scope.addHook('onRequest', auth.requireSession({ except: ['/login', '/x/open'] }))
          scope.get('/login', async () => 'secret')
          scope.get('/open', async () => 'open')
        },
        { prefix: '/x' },
      )
    })
    expect((await send('/login')).body).toBe('sign in')
    expect((await send('/x/open')).body).toBe('open')
    expect((await send('/x/login')).status).toBe(401)
  })
})

const LAX = {
  caseSensitive: false,
  ignoreDuplicateSlashes: true,
  ignoreTrailingSlash: true,
  useSemicolonDelimiter: true,
}

describe('hosts of other kinds', () => {
  const routes = (app: FastifyInstance, auth: Auth) => {
    app.get('/', async () => 'home')
    app.get('/account', { preHandler: auth.requireSession() }, async () => 'secret')
  }

  it('HTTP/1.0 need not name one', async () => {
    const auth = SiteAuth(config) as Auth
    const app = Fastify()
    running.push(app)
    await app.register(auth.plugin)
    routes(app, auth)
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const { cookie } = await headersOf('Ada')
    for (const [headers, expected] of [
      ['', / 401 /],
      [`Cookie: ${cookie}\r\n`, / 200 .*secret$/s],
      [`Cookie: ${cookie}\r\nHost: evil\\login?\r\n`, / 400 /],
    ] as const) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(`GET /account HTTP/1.0\r\n${headers}\r\n`)
      let text = ''
      for await (const chunk of socket) text += chunk
      expect(text).toMatch(expected)
    }
  })

  it('a malformed one of a trusted proxy opens nothing', async () => {
    const send = await start(routes, { trustProxy: true })
    for (const host of ['evil\\login?', 'evil/login?', 'evil, evil/login?']) {
      const answer = await send('/account', { ...PAGE, 'x-forwarded-host': host })
      expect(answer.status).toBe(400)
      expect((await send('/', { 'x-forwarded-host': host })).status).toBe(400)
    }
    expect((await send('/account', { 'x-forwarded-host': 'app.example' })).status).toBe(401)
  })

  it('a malformed :authority of HTTP/2 gets 400, and a usual one is a host', async () => {
    // For its types, an application that speaks HTTP/2 is another kind of thing.
    const auth = SiteAuth(config) as Auth
    const app = Fastify({ http2: true } as FastifyServerOptions)
    running.push(app)
    await app.register(auth.plugin)
    routes(app, auth)
    const client = connectHttp2(await app.listen({ port: 0, host: '127.0.0.1' }))
    const statusOf = async (headers: OutgoingHttpHeaders): Promise<number> => {
      const stream = client.request({ ':path': '/account', ...headers }).end()
      const [answer] = await once(stream, 'response')
      stream.destroy()
      return answer[':status']
    }
    try {
      // Node closes streams with `/`, `?` or `#` in it by itself.
      for (const authority of ['x@evil', 'evil,evil', 'evil:x']) {
        expect(await statusOf({ ':authority': authority })).toBe(400)
        expect(await statusOf({ ':authority': authority, ':path': '/' })).toBe(400)
        expect(await statusOf({ ':authority': authority, host: 'app.example' })).toBe(400)
      }
      expect(await statusOf({})).toBe(401)
      expect(await statusOf(await headersOf('Ada'))).toBe(200)
    } finally {
      client.destroy()
    }
  })
})

it('a sign-in page behind the guard ends in 508, and the log says once what to do', async () => {
  const errors: Error[] = []
  const logger = { ...config.logger, error: (error: Error) => void errors.push(error) }
  const send = await start(
    (app, auth) => {
      app.addHook('preHandler', auth.requireSession())
      app.get('/login', async () => 'sign in')
      app.get('/', async () => 'secret')
    },
    {},
    { logger, pages: { signIn: '/login' } },
  )
  for (let time = 0; time < 3; time++) {
    const visited = await openPage(send, '/')
    expect(visited.at(-1)).toMatchObject({ status: 508 })
    expect(visited.length).toBeLessThan(4)
  }
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('add "/login" to the option except'),
  ])
})
