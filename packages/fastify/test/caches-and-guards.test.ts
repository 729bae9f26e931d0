import { once } from 'node:events'
import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { SiteAuth } from '@siteauth/fastify'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'

const auth = SiteAuth(config)
const running: FastifyInstance[] = []

afterEach(async () => {
  for (const app of running.splice(0)) await app.close()
})

async function start(
  addRoutes: (app: FastifyInstance) => void,
  options: FastifyServerOptions = {},
): Promise<FastifyInstance> {
  const app = Fastify(options)
  running.push(app)
  await app.register(auth.plugin)
  addRoutes(app)
  return app
}

describe('a hook that has all answers cached, after ours,', () => {
  const cached = (app: FastifyInstance) => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60').header('cdn-cache-control', 'max-age=60')
    })
    app.get('/', async request => {
      await auth.getSession(request)
      return 'page'
    })
    app.get('/stream', async (request, reply) => {
      await auth.getSession(request)
      const stream = new PassThrough()
      stream.end('page')
      return reply.send(stream)
    })
    app.get('/mine', { preHandler: auth.requireSession() }, async () => 'mine')
    app.post('/login', request => auth.signIn(request, 'credentials', { name: 'Ada' }))
  }

  it.each(['/', '/stream', '/mine', '/auth/session'])(
    'does not reach a session that %s renews',
    async url => {
      const app = await start(cached)
      const { headers } = await app.inject({ url, headers: await headersOf('Ada', { daysAgo: 2 }) })
      expect(headers['cache-control']).toBe(NEVER)
      expect(headers).not.toHaveProperty('cdn-cache-control')
      expect(
        [headers['set-cookie']].flat().filter(line => line?.includes('session-token=')),
      ).toEqual([SESSION])
    },
  )

  it('does not reach a sign-in, nor the answer of a guard', async () => {
    const app = await start(cached)
    const login = await app.inject({ method: 'POST', url: '/login' })
    expect(login.headers['cache-control']).toBe(NEVER)
    const refused = await app.inject('/mine')
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, NEVER])
  })
})

it('a renewed session reaches a browser that a handler answers past Fastify', async () => {
  const app = await start(server => {
    server.get('/', async (request, reply) => {
      await auth.getSession(request)
      reply.hijack()
      reply.raw.writeHead(200, { 'set-cookie': 'own=1', 'cache-control': 'public' })
      reply.raw.end('an event')
    })
  })
  const sent = { url: '/', headers: await headersOf('Ada', { daysAgo: 2 }) }
  const { headers } = await app.inject(sent)
  expect(headers['set-cookie']).toEqual(['own=1', SESSION])
  expect(headers['cache-control']).toBe(NEVER)
})

it('a hook that fails after ours does not double the cookie', async () => {
  const app = await start(server => {
    server.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 200) throw new Error('of the application')
    })
    server.get('/', async request => {
      await auth.getSession(request)
      return 'page'
    })
  })
  const { statusCode, headers } = await app.inject({
    url: '/',
    headers: await headersOf('Ada', { daysAgo: 2 }),
  })
  expect(statusCode).toBe(500)
  expect(headers['set-cookie']).toEqual([SESSION])
})

it('a guarded page that is private is not kept by caches that a hook before spoke to', async () => {
  const app = await start(server => {
    server.addHook('onRequest', async (_request, reply) => {
      reply.header('cdn-cache-control', 'max-age=60')
    })
    server.get('/', { preHandler: auth.requireSession() }, async (_request, reply) =>
      reply.header('cache-control', 'private, max-age=60').send('mine'),
    )
  })
  const { headers } = await app.inject({ url: '/', headers: await headersOf('Ada') })
  expect(headers['cache-control']).toBe('private, max-age=60')
  expect(headers).not.toHaveProperty('cdn-cache-control')
})

describe('a guard is not passed', () => {
  const routes = (app: FastifyInstance) => {
    app.register(async scope => {
      scope.addHook('onRequest', auth.requireSession())
      scope.all('/private', async () => 'secret')
      scope.get('/private/:id', async () => 'secret')
    })
  }
  it.each([
    ['HEAD', '/private', {}],
    ['OPTIONS', '/private', {}],
    ['POST', '/private', { 'x-http-method-override': 'GET', 'content-type': 'text/plain' }],
    ['GET', '/%70rivate', {}],
    ['GET', '/private/..%2fauth%2fsignin', {}],
    ['GET', '/private?x=/auth/signin', {}],
    ['GET', '/PRIVATE', {}],
    ['GET', '//private', {}],
    ['GET', '/private/', {}],
    ['GET', '/private', { accept: 'text/html;q=0, */*' }],
    ['GET', '/private', { host: '' }],
  ] as const)('by %s %s %o', async (method, url, headers) => {
    const app = await start(routes, {
      routerOptions: {
        caseSensitive: false,
        ignoreDuplicateSlashes: true,
        ignoreTrailingSlash: true,
      },
    })
    const response = await app.inject({ method, url, headers })
    expect(response.statusCode).toBe(401)
    expect(response.body).not.toContain('secret')
  })

  it('by a path that a browser reads as another host', async () => {
    const app = await start(routes, { routerOptions: { ignoreDuplicateSlashes: true } })
    for (const url of ['//private', '/\\private', '///evil.example/../private']) {
      const { headers } = await app.inject({ url, headers: { accept: 'text/html' } })
      const location = headers.location ?? '/'
      const back = new URL(location, 'http://localhost').searchParams.get('callbackUrl') ?? '/'
      expect(new URL(back, 'http://localhost').host).toBe('localhost')
    }
  })

  it('by somebody whom allow cannot tell', async () => {
    const app = await start(server => {
      const preHandler = auth.requireSession({ allow: () => Promise.reject(new Error('down')) })
      server.get('/', { preHandler }, async () => 'secret')
    })
    const response = await app.inject({ url: '/', headers: await headersOf('Ada') })
    expect(response.statusCode).toBe(500)
  })
})

describe('requests on one connection', () => {
  it('each see their own visitor', async () => {
    const app = await start(server => {
      server.get('/', async request => `${(await auth.getSession(request))?.user?.name}.`)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const { cookie } = await headersOf('Ada')
    const get = (headers: string) => `GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
    const socket = connect(port, '127.0.0.1')
    // All at once, without waiting for an answer.
    socket.write(
      get(`Cookie: ${cookie}\r\n`) +
        get('') +
        get(`Cookie: ${(await headersOf('Eve')).cookie}\r\n`),
    )
    socket.write(get('Connection: close\r\n'))
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text.match(/\w+\.(?=HTTP|$)/g)).toEqual(['Ada.', 'undefined.', 'Eve.', 'undefined.'])
  })
})

it('over HTTP/2, visitors sign in, and guards refuse', async () => {
  const preHandler = auth.requireSession({ allow: () => false })
  // For its types, an application that speaks HTTP/2 is another kind of thing.
  const http2 = { http2: true } as FastifyServerOptions
  const app = await start(server => {
    server.post('/login', request => auth.signIn(request, 'credentials', { name: 'Ada' }))
    server.get('/mine', { preHandler }, async () => 'mine')
  }, http2)
  const client = connectHttp2(await app.listen({ port: 0, host: '127.0.0.1' }))
  const send = async (headers: OutgoingHttpHeaders) => {
    const stream = client.request(headers).end()
    const [answer] = await once(stream, 'response')
    stream.destroy()
    return answer
  }
  try {
    const login = await send({ ':method': 'POST', ':path': '/login' })
    expect([login[':status'], login['set-cookie']]).toEqual([
      303,
      expect.arrayContaining([SESSION]),
    ])
    const mine = await send({ ':path': '/mine', ...(await headersOf('Ada', { daysAgo: 2 })) })
    expect([mine[':status'], mine['cache-control']]).toEqual([403, NEVER])
  } finally {
    client.destroy()
  }
})

describe('bodies sent to an endpoint', () => {
  it.each([
    ['too large', 'application/x-www-form-urlencoded', 'a='.padEnd(300_000, 'x')],
    ['of no JSON', 'application/json', '{"a":'],
    ['with keys of prototypes', 'application/json', '{"__proto__":{"csrfToken":"x"}}'],
    ['of an unknown charset', 'application/x-www-form-urlencoded; charset=utf-7', '+ADw-=1'],
    ['of no type that there is', 'text/plain', 'csrfToken=x'],
    ['of a broken multipart', 'multipart/form-data; boundary=x', '--y\r\n'],
  ])('%s sign nobody in', async (_, type, payload) => {
    const app = await start(() => {})
    const response = await app.inject({
      method: 'POST',
      url: '/auth/callback/credentials',
      headers: { 'content-type': type },
      payload,
    })
    expect(`${response.headers['set-cookie']}`).not.toContain('session-token=')
    expect(response.statusCode).toBeGreaterThanOrEqual(300)
    expect(response.statusCode).toBeLessThan(500)
  })
})

describe('forms of other sites', () => {
  it.each(['/login', '/logout', '/rename'])('are refused by %s', async url => {
    const app = await start(server => {
      server.post('/login', request => auth.signIn(request, 'credentials', { name: 'Eve' }))
      server.post('/logout', request => auth.signOut(request))
      server.post('/rename', request => auth.update(request, { name: 'Eve' }))
    })
    const headersOfAda = await headersOf('Ada')
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const headers = { ...headersOfAda, ...foreign, 'content-type': 'text/plain' }
      const response = await app.inject({ method: 'POST', url, headers, payload: 'a' })
      expect([foreign, response.statusCode]).toEqual([foreign, 500])
      expect(response.headers).not.toHaveProperty('set-cookie')
    }
  })
})
