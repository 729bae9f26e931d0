import Credentials from '@siteauth/core/providers/credentials'
import { defineConfig, SiteAuth } from '@siteauth/hono'
import { Hono, type MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { describe, expect, expectTypeOf, it } from 'vitest'
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
const DAY = 86_400_000

/** The headers of somebody whose session is due for renewal. */
async function dueHeaders(): Promise<{ cookie: string }> {
  const at = new Date(Date.now() - 2 * DAY)
  return (await signInAs(config, ADA, { url: 'http://localhost', at, env: { NODE_ENV: 'test' } }))
    .headers
}

const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)

describe('a renewed session reaches the browser', () => {
  const auth = SiteAuth(config)

  it.each<[string, () => Response]>([
    ['a response of the web', () => new Response('raw')],
    ['one whose headers cannot be changed', () => Response.redirect('http://localhost/x')],
    ['one with cookies of its own', () => new Response('', { headers: { 'set-cookie': 'own=1' } })],
  ])('on %s', async (_, answer) => {
    const app = new Hono().use(auth.handler).get('/', auth.sessionMiddleware, () => answer())
    const response = await app.request('/', { headers: await dueHeaders() })
    const own = answer().headers.getSetCookie()
    expect(response.headers.getSetCookie()).toEqual([...own, SESSION])
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.status).toBe(answer().status)
  })

  it('on the answer to an error', async () => {
    const app = new Hono().use(auth.handler).get('/', auth.sessionMiddleware, () => {
      throw new HTTPException(418)
    })
    const response = await app.request('/', { headers: await dueHeaders() })
    expect(response.status).toBe(418)
    expect(response.headers.getSetCookie()).toEqual([SESSION])
  })

  it('where nothing but the handler asks for it', async () => {
    const app = new Hono().use(auth.handler).get('/', async c => c.json(await auth.getSession(c)))
    const response = await app.request('/', { headers: await dueHeaders() })
    expect(response.headers.getSetCookie()).toEqual([SESSION])
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it('whatever the page says to caches', async () => {
    const app = new Hono().use(auth.handler).get('/', auth.sessionMiddleware, c => {
      c.header('cache-control', 'public, max-age=60')
      c.header('cdn-cache-control', 'max-age=60')
      return c.text('page')
    })
    const { headers } = await app.request('/', { headers: await dueHeaders() })
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store')
    expect(headers.has('cdn-cache-control')).toBe(false)
  })
})

describe('a guard', () => {
  const auth = SiteAuth(config)
  const cached = createMiddleware(async (c, next) => {
    c.header('cache-control', 'public, max-age=60')
    await next()
  })

  it('does not leave to caches what was meant for all pages', async () => {
    const app = new Hono().use(cached).get('/', auth.requireSession(), c => c.text('mine'))
    const { headers } = await signInAs(config, ADA, {
      url: 'http://localhost',
      env: { NODE_ENV: 'test' },
    })
    const response = await app.request('/', { headers })
    expect(await response.text()).toBe('mine')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('leaves to the page what it says of itself', async () => {
    const app = new Hono().get('/', auth.requireSession(), c =>
      c.text('mine', 200, { 'cache-control': 'private, max-age=60' }),
    )
    const { headers } = await signInAs(config, ADA, {
      url: 'http://localhost',
      env: { NODE_ENV: 'test' },
    })
    const response = await app.request('/', { headers })
    expect(response.headers.get('cache-control')).toBe('private, max-age=60')
  })

  it('does not run what it guards', async () => {
    let runs = 0
    const app = new Hono().get('/', auth.requireSession(), c => {
      runs++
      return c.text('mine')
    })
    expect((await app.request('/')).status).toBe(401)
    expect(runs).toBe(0)
  })
})

describe('the endpoints', () => {
  it.each([
    ['for all paths', (app: Hono, handler: MiddlewareHandler) => app.use(handler)],
    ['at their path', (app: Hono, handler: MiddlewareHandler) => app.use('/auth/*', handler)],
    [
      'in a router',
      (app: Hono, handler: MiddlewareHandler) => app.route('/', new Hono().use(handler)),
    ],
    [
      'above their path',
      (app: Hono, handler: MiddlewareHandler) => app.basePath('/auth').use(handler),
    ],
  ])('answer where the handler is mounted %s', async (_, mount) => {
    const app = new Hono()
    mount(app, SiteAuth(config).handler)
    expect((await app.request('/auth/csrf')).status).toBe(200)
  })

  it('say how to mount them where they are mounted elsewhere', async () => {
    const errors: Error[] = []
    const app = new Hono().use('/api/auth/*', SiteAuth(config).handler).onError((error, c) => {
      errors.push(error)
      return c.text('error', 500)
    })
    expect((await app.request('/api/auth/csrf')).status).toBe(500)
    expect(errors[0]?.message).toContain("set basePath: '/api/auth'")
  })

  it('take the configuration from what comes with requests', async () => {
    const auth = SiteAuth(c => ({ ...config, secret: c.env.SECRET }))
    const app = new Hono()
      .use(auth.handler)
      .get('/', auth.sessionMiddleware, c => c.json(c.var.session))
    const { headers } = await signInAs(config, ADA, {
      url: 'http://localhost',
      env: { NODE_ENV: 'test' },
    })
    const response = await app.request('/', { headers }, { SECRET: config.secret })
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } })
  })
})

it('a sign-in is seen by the rest of its request', async () => {
  const auth = SiteAuth(config)
  const app = new Hono().use(auth.handler).post('/', async c => {
    const before = await auth.getSession(c)
    await auth.signIn(c, 'credentials', { name: 'Ada' })
    return c.json([before, await auth.getSession(c)])
  })
  const response = await app.request('/', { method: 'POST' })
  expect(await response.json()).toMatchObject([null, { user: { name: 'Ada' } }])
})

it('what the session callback returns is what handlers get', () => {
  const auth = SiteAuth({ ...config, callbacks: { session: () => ({ role: 'admin' as const }) } })
  new Hono().get('/', auth.requireSession(), c => {
    expectTypeOf(c.var.session.role).toEqualTypeOf<'admin'>()
    return c.text('')
  })
})
