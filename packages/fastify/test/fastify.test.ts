import Credentials from '@siteauth/core/providers/credentials'
import { defineConfig, SiteAuth } from '@siteauth/fastify'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/src/index.ts'

const config = defineConfig({
  secret: 'a test secret that is long enough!',
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: '1', name: `${name}` }),
    }),
  ],
})

const ADA = { id: '1', name: 'Ada' }
const URL_HERE = 'http://localhost'
const DAY = 86_400_000

/** The headers of somebody whose session is due for renewal. */
async function dueHeaders(): Promise<{ cookie: string }> {
  const at = new Date(Date.now() - 2 * DAY)
  return (await signInAs(config, ADA, { url: URL_HERE, at, env: { NODE_ENV: 'test' } })).headers
}

async function headersOfAda(): Promise<{ cookie: string }> {
  return (await signInAs(config, ADA, { url: URL_HERE, env: { NODE_ENV: 'test' } })).headers
}

async function start(
  addRoutes: (app: FastifyInstance, auth: ReturnType<typeof SiteAuth>) => void,
  options: FastifyServerOptions = {},
) {
  const auth = SiteAuth(config)
  const app = Fastify(options)
  await app.register(auth.plugin)
  addRoutes(app, auth as ReturnType<typeof SiteAuth>)
  return app
}

const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)

describe('a renewed session reaches the browser', () => {
  it('beside cookies of the application, whatever that says to caches', async () => {
    const app = await start((server, auth) =>
      server.get('/', async (request, reply) => {
        await auth.getSession(request)
        reply.header('set-cookie', 'own=1').header('cache-control', 'public, max-age=60')
        return reply.header('cdn-cache-control', 'max-age=60').send('page')
      }),
    )
    const { headers } = await app.inject({ url: '/', headers: await dueHeaders() })
    expect(headers['set-cookie']).toEqual(['own=1', SESSION])
    expect(headers['cache-control']).toBe('private, no-cache, no-store')
    expect(headers).not.toHaveProperty('cdn-cache-control')
  })

  it('on the answer to an error', async () => {
    const app = await start((server, auth) =>
      server.get('/', async request => {
        await auth.getSession(request)
        throw Object.assign(new Error('tea'), { statusCode: 418 })
      }),
    )
    const { headers, statusCode } = await app.inject({ url: '/', headers: await dueHeaders() })
    expect(statusCode).toBe(418)
    expect(headers['set-cookie']).toEqual([SESSION])
  })
})

describe('a guard', () => {
  it('does not leave to caches what was meant for all pages', async () => {
    const app = await start((server, auth) => {
      server.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=60')
      })
      server.get('/', { preHandler: auth.requireSession() }, async () => 'mine')
    })
    const { headers, body } = await app.inject({ url: '/', headers: await headersOfAda() })
    expect([body, headers['cache-control']]).toEqual(['mine', 'private, no-cache'])
  })

  it('does not run what it guards', async () => {
    let runs = 0
    const app = await start((server, auth) =>
      server.get('/', { preHandler: auth.requireSession() }, async () => {
        runs++
        return 'mine'
      }),
    )
    expect((await app.inject('/')).statusCode).toBe(401)
    expect(runs).toBe(0)
  })
})

describe('the endpoints', () => {
  it('read bodies whatever parsers the application has', async () => {
    const auth = SiteAuth(config)
    const app = Fastify()
    app.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Error('of the application')),
    )
    await app.register(auth.plugin)
    const csrf = await app.inject('/auth/csrf')
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/callback/credentials',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: [csrf.headers['set-cookie']]
          .flat()
          .map(line => String(line).split(';')[0])
          .join('; '),
      },
      payload: new URLSearchParams({ csrfToken: csrf.json().csrfToken, name: 'Ada' }).toString(),
    })
    expect(answer.headers['set-cookie']).toContainEqual(SESSION)
  })

  it.each([
    ['of another prefix', '/api', undefined, "set basePath: '/api/auth'"],
    ['of their own prefix', '/api', '/api/auth', 200],
  ])('know a scope %s', async (_, prefix, basePath, expected) => {
    const auth = SiteAuth({ ...config, ...(basePath && { basePath }) })
    const app = Fastify()
    app.register(async scope => void (await scope.register(auth.plugin)), { prefix })
    const outcome = await app
      .inject(`${prefix}/auth/csrf`)
      .then(({ statusCode }) => statusCode)
      .catch(String)
    if (typeof expected === 'number') expect(outcome).toBe(expected)
    else expect(outcome).toContain(expected)
  })

  it('are not talked into another host or scheme by a visitor', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    for (const trustProxy of [false, '10.0.0.1']) {
      const app = await start(() => {}, { trustProxy })
      const { body, headers } = await app.inject({ url: '/auth/providers', headers: forged })
      expect(body).not.toContain('evil.example')
      expect(JSON.stringify(headers)).not.toContain('__Secure-')
    }
  })
})

it('a plugin that was not registered is missed at the first call', async () => {
  const auth = SiteAuth(config)
  const app = Fastify()
  app.get('/', request => auth.getSession(request))
  const { statusCode, json } = await app.inject('/')
  expect([statusCode, json().message]).toEqual([500, expect.stringContaining('auth.plugin')])
})

describe('request.session', () => {
  it('is the session of the user whom a guard has let through', async () => {
    const app = await start((server, auth) =>
      server.get('/', { preHandler: auth.requireSession() }, async request => request.session.user),
    )
    const response = await app.inject({ url: '/', headers: await headersOfAda() })
    expect(response.json()).toMatchObject({ name: 'Ada' })
  })

  it.each([
    ['no guard has run', []],
    ['a guard has exempted the route', ['/']],
  ])('throws if %s', async (_, except) => {
    const app = await start((server, auth) => {
      if (except.length > 0) server.addHook('preHandler', auth.requireSession({ except }))
      server.get('/', async request => request.session.user)
    })
    const { statusCode, body } = await app.inject({ url: '/', headers: await headersOfAda() })
    expect(statusCode).toBe(500)
    expect(body).toContain('auth.getSession(request)')
  })

  it('stays with a package for other sessions that has the name already', async () => {
    const app = Fastify()
    app.decorateRequest('session', { getter: () => 'a session of another kind' } as never)
    const auth = SiteAuth(config)
    await app.register(auth.plugin)
    app.get('/', { preHandler: auth.requireSession() }, async request => request.session)
    const { body } = await app.inject({ url: '/', headers: await headersOfAda() })
    expect(body).toBe('a session of another kind')
  })

  it('throws in an application with two configurations', async () => {
    const [customers, staff] = [SiteAuth(config), SiteAuth({ ...config, basePath: '/staff' })]
    const app = Fastify()
    await app.register(customers.plugin)
    await app.register(staff.plugin)
    app.addHook('preHandler', customers.requireSession())
    app.get('/admin', async request => request.session.user)
    const response = await app.inject({ url: '/admin', headers: await headersOfAda() })
    expect([response.statusCode, response.body.includes('several')]).toEqual([500, true])
  })
})
