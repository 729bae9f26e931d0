import { SiteAuth } from '@siteauth/hono'
import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import { describe, expect, it } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'

/** Middleware of an application that has all pages cached, and says so when they are done. */
const cachedAfterwards = createMiddleware(async (c, next) => {
  await next()
  c.header('cache-control', 'public, max-age=60')
  c.header('cdn-cache-control', 'max-age=60')
})

describe('middleware that has all pages cached, between the handler and the rest,', () => {
  const auth = SiteAuth(config)
  const app = new Hono()
    .use(auth.handler)
    .use(cachedAfterwards)
    .get('/', auth.sessionMiddleware, c => c.text('page'))
    .get('/read', async c => c.json(await auth.getSession(c)))
    .get('/mine', auth.requireSession(), c => c.text('mine'))
    .post('/login', c => auth.signIn(c, 'credentials', { name: 'Ada' }))
    .post('/logout', c => auth.signOut(c))

  it.each(['/', '/read', '/mine'])('does not reach a session that %s renews', async path => {
    const { headers } = await app.request(path, { headers: await headersOf('Ada', { daysAgo: 2 }) })
    expect(headers.getSetCookie()).toEqual([SESSION])
    expect(headers.get('cache-control')).toBe(NEVER)
    expect(headers.has('cdn-cache-control')).toBe(false)
  })

  it.each(['/login', '/logout'])('does not reach the cookies of %s', async path => {
    const { headers } = await app.request(path, {
      method: 'POST',
      headers: await headersOf('Ada'),
    })
    expect(headers.getSetCookie().filter(line => line.startsWith('authjs.session'))).toHaveLength(1)
    expect(headers.get('cache-control')).toBe(NEVER)
  })

  it('does not reach the answer of a guard', async () => {
    const { headers } = await app.request('/mine')
    expect(headers.get('cache-control')).toBe(NEVER)
    expect(headers.has('cdn-cache-control')).toBe(false)
  })
})

describe('where nothing of ours waits for the answer, so that its cookie could be lost,', () => {
  const auth = SiteAuth(config)
  const calls: [string, (c: Context) => Promise<unknown>][] = [
    ['getSession', c => auth.getSession(c)],
    ['signIn', c => auth.signIn(c, 'credentials', { name: 'Ada' })],
    ['signOut', c => auth.signOut(c)],
    ['update', c => auth.update(c, { name: 'Ada' })],
  ]

  it.each(calls)('%s says what to do', async (_, call) => {
    const mounted = new Hono().post('/', async c => {
      await expect(call(c)).rejects.toThrow('app.use(auth.handler)')
      return new Response('raw')
    })
    const app = new Hono().use(auth.handler).mount('/inner', mounted.fetch)
    expect((await mounted.request('/', { method: 'POST' })).status).toBe(200)
    expect((await app.request('/inner/', { method: 'POST' })).status).toBe(200)
  })
})

it('a renewed session reaches a browser that has the page already', async () => {
  const auth = SiteAuth(config)
  const app = new Hono()
    .use(auth.handler)
    .use(etag())
    .get('/', auth.sessionMiddleware, c => c.text('page'))
  const tag = (await app.request('/')).headers.get('etag') ?? ''
  const headers = { ...(await headersOf('Ada', { daysAgo: 2 })), 'if-none-match': tag }
  const response = await app.request('/', { headers })
  expect(response.status).toBe(304)
  expect(response.headers.getSetCookie()).toEqual([SESSION])
  expect(response.headers.get('cache-control')).toBe(NEVER)
})

it('a cache of the application keeps no page with a renewed session', async () => {
  const auth = SiteAuth(config)
  const kept: (string | null)[] = []
  const app = new Hono()
    .use(auth.handler)
    .use(async (c, next) => {
      await next()
      kept.push(c.res.headers.get('cache-control'), c.res.headers.get('set-cookie'))
    })
    .get('/', auth.sessionMiddleware, c => c.text('page'))
  await app.request('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
  expect(kept).toEqual([NEVER, null])
})

describe('headers that the application has set before', () => {
  const auth = SiteAuth(config)
  const app = new Hono()
    .use(async (c, next) => {
      c.res.headers.set('access-control-allow-origin', 'https://friend.example')
      c.header('set-cookie', 'own=1', { append: true })
      c.header('cache-control', 'public, max-age=60')
      await next()
    })
    .use(auth.handler)
    .post('/login', c => auth.signIn(c, 'credentials', { name: 'Ada' }))
    .post('/logout', c => auth.signOut(c))
    .get('/page', auth.sessionMiddleware, () => new Response('page'))
    .get('/mine', auth.requireSession({ allow: () => false }), c => c.text('mine'))

  it.each([
    ['the endpoints', 'GET', '/auth/session'],
    ['a sign-in', 'POST', '/login'],
    ['a sign-out', 'POST', '/logout'],
    ['a page', 'GET', '/page'],
    ['a guard', 'GET', '/mine'],
  ])('do not replace those of %s', async (_, method, path) => {
    const headers = await headersOf('Ada', { daysAgo: 2 })
    const response = await app.request(path, { method, headers })
    const cookies = response.headers.getSetCookie()
    expect(cookies.filter(line => line.startsWith('authjs.session-token'))).toHaveLength(1)
    expect(cookies.filter(line => line.startsWith('own='))).toHaveLength(1)
    expect(response.headers.get('cache-control')).toBe(NEVER)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://friend.example')
  })
})

it('a session is not renewed where the cookie would come too late', async () => {
  const auth = SiteAuth(config)
  let asked: Promise<unknown> = Promise.resolve()
  const late = createMiddleware(async (c, next) => {
    await next()
    asked = auth.getSession(c)
    await asked
  })
  const app = new Hono()
    .use(late)
    .use(auth.handler)
    .get('/', c => c.text('page'))
  const response = await app.request('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
  expect(await asked).toMatchObject({ user: { name: 'Ada' } })
  expect(response.headers.getSetCookie()).toEqual([])
})

describe('a guarded page that is private', () => {
  it('is not kept by caches that middleware before the guard spoke to', async () => {
    const auth = SiteAuth(config)
    const app = new Hono()
      .use(async (c, next) => {
        c.header('cdn-cache-control', 'max-age=60')
        await next()
      })
      .get('/', auth.requireSession(), c =>
        c.text('mine', 200, { 'cache-control': 'private, max-age=60' }),
      )
    const { headers } = await app.request('/', { headers: await headersOf('Ada') })
    expect(headers.get('cache-control')).toBe('private, max-age=60')
    expect(headers.has('cdn-cache-control')).toBe(false)
  })
})

describe('a guard is not passed', () => {
  const auth = SiteAuth(config)
  const app = new Hono()
    .use(auth.handler)
    .use('/private/*', auth.requireSession())
    .all('/private/page', c => c.text('secret'))

  it.each([
    ['HEAD', '/private/page', {}],
    ['OPTIONS', '/private/page', {}],
    ['POST', '/private/page', { 'x-http-method-override': 'GET' }],
    ['GET', '/%70rivate/page', {}],
    ['GET', '/private/page?callbackUrl=/auth/signin', {}],
    ['GET', '/private/page', { accept: 'text/html;q=0' }],
    ['GET', '/private/page', { accept: ',;q=,,text/html;q=NaN' }],
    ['GET', '/private/page', { 'x-requested-with': 'XMLHttpRequest', accept: 'text/html' }],
    ['GET', '/private/page', { cookie: 'authjs.session-token=' }],
    ['GET', '/private/page', { cookie: '__proto__=x; authjs.session-token=a.b.c.d.e' }],
  ])('by %s %s %o', async (method, path, headers) => {
    const response = await app.request(path, { method, headers })
    expect(response.status).toBe(401)
    expect(await response.text()).not.toContain('secret')
  })

  it('by somebody whom allow cannot tell', async () => {
    const throwing = auth.requireSession({ allow: () => Promise.reject(new Error('down')) })
    const guarded = new Hono()
      .get('/', throwing, c => c.text('secret'))
      .onError((_error, c) => c.text('of the application', 500))
    const response = await guarded.request('/', { headers: await headersOf('Ada') })
    expect([response.status, await response.text()]).toEqual([500, 'of the application'])
  })

  it('by an answer of allow that only counts as true', async () => {
    // In JavaScript nobody says that a list of no roles is no boolean.
    const allow = (() => []) as unknown as () => boolean
    const guarded = new Hono().get('/', auth.requireSession({ allow }), c => c.text('secret'))
    const response = await guarded.request('/', { headers: await headersOf('Ada') })
    expect(response.status).toBe(403)
  })
})

it('concurrent visitors of one application each see themselves, in sub-apps too', async () => {
  const auth = SiteAuth(config)
  const inner = new Hono().get('/who', auth.sessionMiddleware, c =>
    c.text(`${c.var.session?.user?.name}`),
  )
  const app = new Hono()
    .use(auth.handler)
    .use(auth.sessionMiddleware)
    .route('/routed', inner)
    .mount('/mounted', inner.fetch)
  const names = Array.from({ length: 20 }, (_, index) => `Visitor ${index}`)
  const seen = await Promise.all(
    names.map(async (name, index) => {
      const path = index % 2 ? '/routed/who' : '/mounted/who'
      const response = await app.request(path, { headers: await headersOf(name, { daysAgo: 2 }) })
      return response.text()
    }),
  )
  expect(seen).toEqual(names)
})

describe('forms of other sites', () => {
  const auth = SiteAuth(config)
  const app = new Hono()
    .use(auth.handler)
    .post('/login', c => auth.signIn(c, 'credentials', { name: 'Eve' }))
    .post('/logout', c => auth.signOut(c))
    .post('/rename', async c => c.json(await auth.update(c, { name: 'Eve' })))
    .onError((error, c) => c.text(error.name, 500))

  it.each(['/login', '/logout', '/rename'])('are refused by %s', async path => {
    const headersOfAda = await headersOf('Ada')
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' },
    ]) {
      const response = await app.request(path, {
        method: 'POST',
        headers: { ...headersOfAda, ...foreign, 'content-type': 'text/plain' },
        body: 'name=Eve',
      })
      expect([foreign, response.status]).toEqual([foreign, 500])
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })
})

it.each(['throws', 'rejects'])(
  'an allow that %s lets nobody pass, and loses no cookie',
  async how => {
    const auth = SiteAuth(config)
    const fault = new Error('The roles cannot be read')
    const allow = () => {
      if (how === 'throws') throw fault
      return Promise.reject(fault)
    }
    const guarded = auth.requireSession({ allow })
    const page = (c: Context) => c.text('secret')
    for (const app of [new Hono().use(guarded), new Hono().use(auth.handler, guarded)]) {
      app.get('/', page).onError((_, c) => c.text('Something went wrong', 500))
      const headers = await headersOf('Ada', { daysAgo: 2 })
      const response = await app.request('/', { headers })
      expect([response.status, await response.text()]).toEqual([500, 'Something went wrong'])
      expect(response.headers.getSetCookie()).toEqual([SESSION])
      expect(response.headers.get('cache-control')).toBe(NEVER)
    }
  },
)
