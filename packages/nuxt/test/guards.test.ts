import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SiteAuth } from '@siteauth/nuxt/server'
import {
  createApp,
  createRouter,
  defineEventHandler,
  type EventHandler,
  toNodeListener,
  toWebHandler,
  useBase,
} from 'h3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type RawRequest, type RawResponse, sendRaw } from '../../testing/src/integration.ts'
import { config, headersOf } from '../../testing/test/hostile-site.ts'

const PAGE = { accept: 'text/html' }
const EXCEPT = { except: ['/login', 'POST /login'] }

interface Place {
  /** Guards every route by a call, or all of them by one guard in front. */
  readonly guard: 'called' | 'in front'
  /** Where the guard in front is mounted. */
  readonly at?: string
  /** Whether the endpoints are mounted after the guard, as those of a module are in Nitro. */
  readonly endpointsLast?: boolean
}

/** An application with wildcards in which nothing but the sign-in page is open. */
function createSite({ guard, at = '/', endpointsLast = false }: Place) {
  const auth = SiteAuth(config)
  const ran: string[] = []
  const kept = defineEventHandler(async event => {
    if (guard === 'called') await auth.requireSession(event)
    ran.push(event.path)
    return 'secret'
  })
  const router = createRouter()
  router.get(
    '/login',
    defineEventHandler(() => 'Sign in here.'),
  )
  router.post(
    '/login',
    defineEventHandler(() => 'Signing in.'),
  )
  for (const path of ['/account/**', '/admin/**', '/item/:id', '/**']) router.use(path, kept)
  const app = createApp()
  const front: readonly EventHandler[] = guard === 'in front' ? [auth.requireSession(EXCEPT)] : []
  if (!endpointsLast) app.use(auth.handler)
  for (const each of front) app.use(at, each)
  if (endpointsLast) app.use(auth.handler)
  app.use(router)
  return { app, ran, auth }
}

/** Serves an application for the length of a test. */
async function serve(app: ReturnType<typeof createApp>) {
  const server = createServer(toNodeListener(app))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return (request: RawRequest): Promise<RawResponse> =>
    sendRaw(`http://127.0.0.1:${port}`, { ...request, headers: { ...PAGE, ...request.headers } })
}

const TARGETS = [
  '/account/%2e%2e/login',
  '/account/../login',
  '/account/..\\login',
  '//login',
  '///login',
  '/\\login',
  '/.//login',
  '/login#/../admin/x',
  '/login/../admin/x',
  '/login%23x',
  '/LOGIN',
  '/login/',
  '/%256cogin',
  '/item/login',
  'http://evil.example/admin/login',
  '/auth/../admin/x',
  '/account/%2e%2e/auth/signin',
]

describe.each([
  { guard: 'called' },
  { guard: 'in front' },
  { guard: 'in front', endpointsLast: true },
] satisfies Place[])('a guard of h3: %o', place => {
  it.each(TARGETS)('is not passed by %s', async target => {
    const { app, ran } = createSite(place)
    const send = await serve(app)
    await send({ target })
    await send({ target, method: 'POST' })
    expect(ran).toEqual([])
  })

  it.each(['evil\\login?', 'evil/login?', 'evil#/login', 'evil:80\\login?', ''])(
    'answers 400 to the host %j',
    async host => {
      const { app, ran } = createSite(place)
      const send = await serve(app)
      for (const target of ['/account/x', '/login', '/auth/session']) {
        // Where no guard is, the handler of the endpoints answers it.
        expect((await send({ target, headers: { host } })).status).toBe(400)
      }
      expect(ran).toEqual([])
    },
  )

  it('the guard lets a user through and answers the endpoints', async () => {
    const { app, ran } = createSite(place)
    const send = await serve(app)
    expect((await send({ target: '/login' })).body).toContain('Sign in here.')
    expect((await send({ target: '/auth/csrf' })).body).toContain('csrfToken')
    const headers = await headersOf('Ada')
    expect((await send({ target: '/account/x', headers })).body).toContain('secret')
    expect(ran).toEqual(['/account/x'])
  })
})

it('HEAD is not exempt: h3 dispatches it to another route if there is none for it', async () => {
  const ran: string[] = []
  const router = createRouter()
  router.get(
    '/login',
    defineEventHandler(() => 'Sign in here.'),
  )
  router.use(
    '/**',
    defineEventHandler(({ path }) => void ran.push(path)),
  )
  const app = createApp()
  const auth = SiteAuth(config)
  app.use(auth.handler)
  app.use(auth.requireSession({ except: ['/login'] }))
  app.use(router)
  const send = await serve(app)
  expect((await send({ target: '/login' })).status).toBe(200)
  expect((await send({ method: 'HEAD', target: '/login' })).status).toBe(302)
  expect(ran).toEqual([])
})

describe('the paths that `except` names', () => {
  it('are as browsers request them: below a mount, nothing else is one', async () => {
    const { app, ran } = createSite({ guard: 'in front', at: '/admin' })
    const send = await serve(app)
    const { status } = await send({ target: '/admin/login' })
    expect([status, ran]).toEqual([302, []])
  })

  it('are whole in an application that is part of another', async () => {
    const auth = SiteAuth(config)
    const inner = createApp()
    inner.use(auth.requireSession({ except: ['/shop/login'] }))
    inner.use(defineEventHandler(event => `at ${event.path}`))
    const app = createApp()
    app.use(auth.handler)
    app.use('/shop', useBase('/shop', inner.handler))
    const send = await serve(app)
    expect((await send({ target: '/shop/login?x=1' })).body).toContain('at /login')
    for (const target of ['/shop/x', '/shop/shop/login', '/shop/%6cogin', '/shop//login']) {
      expect((await send({ target })).status).toBe(302)
    }
  })

  it('are those of the request on a platform without Node', async () => {
    const { app, ran } = createSite({ guard: 'in front' })
    const handle = toWebHandler(app)
    const visit = async (path: string) =>
      (await handle(new Request(`http://localhost${path}`, { headers: PAGE }))).status
    expect([await visit('/login'), await visit('/LOGIN'), await visit('//login')]).toEqual([
      200, 302, 302,
    ])
    expect(ran).toEqual([])
  })
})

it('a guard in front keeps nobody from prerendering pages', async () => {
  const { app, ran, auth } = createSite({ guard: 'in front' })
  auth.plugin({ hooks: { hook() {} } }, { isPrerendering: true })
  const send = await serve(app)
  expect((await send({ target: '/account/x' })).status).toBe(200)
  expect(ran).toEqual(['/account/x'])
})

it('a path that a server in front has written anew is not exempt', async () => {
  const { app, ran } = createSite({ guard: 'in front' })
  const listener = toNodeListener(app)
  const server = createServer((req, res) => {
    Object.assign(req, { originalUrl: req.url, url: `/admin${req.url}` })
    listener(req, res)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { status } = await sendRaw(`http://127.0.0.1:${port}`, { target: '/login', headers: PAGE })
  expect([status, ran]).toEqual([302, []])
})
