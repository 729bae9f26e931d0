import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { sessionFor, setUpPage } from '@siteauth/nuxt/app'
import { SiteAuth } from '@siteauth/nuxt/server'
import {
  createApp,
  createError,
  createEvent,
  createRouter,
  defineEventHandler,
  type H3Event,
  readBody,
  sendError,
  sendRedirect,
  setResponseHeader,
} from 'h3'
import { describe, expect, it } from 'vitest'
import { createSSRApp } from 'vue'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { SERVERS } from './serve.ts'

const PAGE = { accept: 'text/html' }
/** A response that the application made once, and gives to everybody. */
const MOVED = new Response(null, { status: 307, headers: { location: '/elsewhere' } })

function createSite() {
  const auth = SiteAuth(config)
  const router = createRouter()
  const read = (path: string, answer: (event: H3Event) => unknown) =>
    router.get(
      path,
      defineEventHandler(async event => {
        await auth.getSession(event)
        return answer(event)
      }),
    )
  read('/value', () => ({ page: true }))
  read('/nothing', () => null)
  read('/response', () => new Response('page', { headers: { 'cache-control': 'public' } }))
  read('/moved', () => MOVED)
  read('/redirect', event => sendRedirect(event, '/elsewhere'))
  read('/error', () => {
    throw createError({ statusCode: 404 })
  })
  read('/fault', () => {
    throw createError({ statusCode: 500, unhandled: false })
  })
  read('/raw', ({ node: { res } }) => {
    res.writeHead(200, { 'set-cookie': 'own=1', 'cache-control': 'public' })
    res.end('page')
  })
  read('/own-cookie', event => {
    setResponseHeader(event, 'set-cookie', 'own=1')
    setResponseHeader(event, 'cache-control', 'public')
    setResponseHeader(event, 'cdn-cache-control', 'max-age=9')
    return 'page'
  })
  router.get(
    '/mine',
    defineEventHandler(async event => (await auth.requireSession(event)).user),
  )
  router.get(
    '/none',
    // In JavaScript nobody says that a list of no roles is no boolean.
    defineEventHandler(event => auth.requireSession(event, { allow: (() => []) as never })),
  )
  router.get(
    '/who',
    defineEventHandler(async event => (await auth.getSession(event))?.user?.name),
  )
  const login = defineEventHandler(event => auth.signIn(event, 'credentials', { name: 'Eve' }))
  router.post('/login', login)
  router.post(
    '/logout',
    defineEventHandler(event => auth.signOut(event)),
  )
  router.post(
    '/rename',
    defineEventHandler(event => auth.update(event, { name: 'Eve' })),
  )
  router.post(
    '/forgetful',
    defineEventHandler(async event => {
      await auth.signOut(event)
      return { ok: true }
    }),
  )
  const headers = { 'cache-control': 's-maxage=60', 'cdn-cache-control': 'max-age=60' }
  return createApp({ onError: (error, event) => sendError(event, error) })
    .use(
      defineEventHandler(async event => {
        // As Nitro does by its route rules.
        for (const [name, value] of Object.entries(headers)) setResponseHeader(event, name, value)
        if (event.method === 'POST') await readBody(event)
      }),
    )
    .use(auth.handler)
    .use(router)
}

describe.each(SERVERS)('on %s', (_, serve) => {
  const send = serve(createSite())

  it.each([
    '/value',
    '/nothing',
    '/response',
    '/moved',
    '/redirect',
    '/error',
    '/fault',
    '/raw',
    '/own-cookie',
    '/mine',
    '/auth/session',
  ])('a session that %s renews reaches the browser, and no cache', async path => {
    const { headers } = await send(path, { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const cookies = headers.getSetCookie()
    expect(cookies.filter(line => line.startsWith('authjs.session'))).toEqual([SESSION])
    expect(cookies.includes('own=1')).toBe(path === '/raw' || path === '/own-cookie')
    expect(headers.get('cache-control')).toBe(NEVER)
    expect(headers.has('cdn-cache-control')).toBe(false)
  })

  it('a response that is given to everybody keeps the cookies of nobody', async () => {
    await send('/moved', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const { headers } = await send('/moved')
    expect(headers.getSetCookie()).toEqual([])
    expect(MOVED.headers.getSetCookie()).toEqual([])
  })

  it('no cache that people share keeps what a guard lets pass', async () => {
    const { headers } = await send('/mine', { headers: await headersOf('Ada') })
    expect(headers.get('cache-control')).toMatch(/private/)
    expect(headers.has('cdn-cache-control')).toBe(false)
  })

  it('no cache keeps the answer of a guard', async () => {
    for (const accept of ['text/html', 'application/json']) {
      const { status, headers } = await send('/mine', { headers: { accept } })
      expect(status).toBe(accept === 'text/html' ? 302 : 401)
      expect(headers.get('cache-control')).toBe(NEVER)
    }
  })

  it('an answer of allow that only counts as true lets nobody pass', async () => {
    const ada = await headersOf('Ada')
    for (const headers of [ada, { ...ada, ...PAGE }]) {
      expect((await send('/none', { headers })).status).toBe(403)
    }
  })

  it('a path that begins like another host leads nowhere else', async () => {
    for (const path of ['//evil.example/auth/signin', '//evil.example/mine']) {
      const { headers } = await send(path, { headers: PAGE })
      expect(headers.get('location') ?? '/').toMatch(/^\/(?!\/)/)
    }
  })

  it('a body that was read before still reaches the endpoints', async () => {
    const csrf = await send('/auth/csrf')
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const [cookie = ''] = csrf.headers.getSetCookie().map(line => line.split(';')[0])
    const response = await send('/auth/callback/credentials', {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ csrfToken, name: 'Ada' }),
    })
    expect(response.headers.getSetCookie()).toContainEqual(SESSION)
  })

  it.each(['/login', '/logout', '/rename'])(
    'forms of other sites are refused by %s',
    async path => {
      const ada = await headersOf('Ada')
      for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
        const headers = { ...ada, ...foreign, 'content-type': 'text/plain' }
        const response = await send(path, { method: 'POST', headers, body: 'name=Eve' })
        expect([foreign, response.status]).toEqual([foreign, 500])
        expect(response.headers.getSetCookie()).toEqual([])
      }
    },
  )

  it('a sign-out whose response the handler does not return counts, too', async () => {
    const response = await send('/forgetful', { method: 'POST', headers: await headersOf('Ada') })
    expect(await response.json()).toEqual({ ok: true })
    const cleared = expect.stringMatching(/^authjs\.session-token=;/)
    expect(response.headers.getSetCookie()).toContainEqual(cleared)
  })

  it('concurrent visitors each see themselves', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Visitor ${index}`)
    const seen = names.map(async name =>
      (await send('/who', { headers: await headersOf(name, { daysAgo: 2 }) })).text(),
    )
    expect(await Promise.all(seen)).toEqual(names)
  })
})

describe('a request that the server makes to itself', () => {
  const auth = SiteAuth(config)
  /** An event as Nitro makes them: `on` is the context that `event.$fetch` hands on. */
  function arrive(headers: { cookie?: string }, on?: H3Event): H3Event {
    const req = new IncomingMessage(new Socket())
    Object.assign(req, { url: '/', method: 'GET', headers: { host: 'localhost', ...headers } })
    if (on) Object.assign(req, { __unenv__: on.context })
    const event = createEvent(req, new ServerResponse(req))
    void auth.handler(event)
    return event
  }
  /** What the browser is told, once the answer begins. */
  function told({ node: { res } }: H3Event): { cookies: unknown; caching: unknown } {
    res.writeHead(200)
    return { cookies: res.getHeader('set-cookie'), caching: res.getHeader('cache-control') }
  }

  it('has the session that it renews sent to the browser', async () => {
    const ada = await headersOf('Ada', { daysAgo: 2 })
    const page = arrive(ada)
    await auth.getSession(arrive(ada, page))
    expect(told(page)).toEqual({ cookies: [SESSION], caching: NEVER })
  })

  it('has the next ones sent with what it has set', async () => {
    const page = arrive(await headersOf('Ada', { daysAgo: 2 }))
    await auth.getSession(page)
    const { cookie } = page.node.req.headers
    await auth.getSession(arrive({ ...(cookie && { cookie }) }, page))
    expect(told(page).cookies).toEqual([SESSION])
  })

  it('signs nobody in again who has signed out meanwhile', async () => {
    const ada = await headersOf('Ada', { daysAgo: 2 })
    const page = arrive(ada)
    const inner = arrive(ada, page)
    await auth.signOut(page)
    await auth.getSession(inner)
    expect(told(page).cookies).not.toContainEqual(
      expect.stringMatching(/^authjs\.session-token=[^;]/),
    )
  })

  it('signs out the page that it is made for', async () => {
    const ada = await headersOf('Ada', { daysAgo: 2 })
    const page = arrive(ada)
    await auth.getSession(page)
    await auth.signOut(arrive({ cookie: page.node.req.headers.cookie ?? '' }, page))
    expect(await auth.getSession(page)).toBeNull()
    const cookies = [told(page).cookies].flat().filter(line => /^authjs\.session/.test(`${line}`))
    expect(cookies.at(-1)).toMatch(/^authjs\.session-token=;/)
  })

  it('counts as encrypted where the one of the browser is', async () => {
    const ada = await headersOf('Ada', { url: 'https://localhost' })
    const eve = await headersOf('Eve')
    // Who can speak for a neighbouring host, or without encryption, can set cookies by names that are not protected.
    const headers = { cookie: `${eve.cookie}; ${ada.cookie}` }
    const page = arrive(headers)
    Object.assign(page.node.req.socket, { encrypted: true })
    const inner = arrive(headers, page)
    for (const event of [page, inner, arrive(headers, inner)]) {
      expect(await auth.getSession(event)).toMatchObject({ user: { name: 'Ada' } })
    }
  })

  it('keeps the page out of caches that people share', async () => {
    const ada = await headersOf('Ada')
    const page = arrive(ada)
    await auth.requireSession(arrive(ada, page))
    expect(told(page).caching).toMatch(/private/)
  })
})

describe('what is kept for everybody', () => {
  const auth = SiteAuth(config)
  /** As Nitro has it: a copy of the event, with the context of whoever came first. */
  function kept(event: H3Event): H3Event {
    const copy = createEvent(event.node.req, event.node.res)
    copy.context = event.context
    copy.context['cache'] = {}
    return copy
  }
  async function visit(rules: object): Promise<H3Event> {
    const req = new IncomingMessage(new Socket())
    const headers = { host: 'localhost', ...(await headersOf('Ada', { daysAgo: 2 })) }
    Object.assign(req, { url: '/', method: 'GET', headers })
    const event = createEvent(req, new ServerResponse(req))
    event.context['_nitro'] = { routeRules: rules }
    void auth.handler(event)
    return event
  }

  it.each([{ cache: {} }, { swr: true }, { isr: 60 }, { prerender: true }])(
    'by %o shows nobody',
    async rules => {
      const event = await visit(rules)
      expect(await auth.getSession(event)).toBeNull()
      await expect(auth.requireSession(event)).rejects.toThrow('routeRules')
    },
  )

  it('by a handler shows nobody', async () => {
    const event = await visit({})
    const copy = kept(event)
    expect(await auth.getSession(copy)).toBeNull()
    await expect(auth.requireSession(copy)).rejects.toThrow('defineCachedEventHandler')
    await expect(auth.signOut(copy)).rejects.toThrow('not cached')
    expect(await auth.getSession(event)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('by a handler that ours is mounted below sets no cookies', async () => {
    const copy = kept(await visit({}))
    await auth.handler(copy)
    expect(await auth.getSession(copy)).toBeNull()
    await expect(auth.requireSession(copy)).rejects.toThrow('defineCachedEventHandler')
    copy.node.req.url = '/auth/csrf'
    await expect(auth.handler(copy)).rejects.toThrow('no handler that is cached')
  })

  it('by the platform is no answer of the endpoints', async () => {
    const event = await visit({ isr: 60 })
    event.node.req.url = '/auth/session'
    await expect(auth.handler(event)).rejects.toThrow("'/auth/**': { isr: false }")
  })

  it.each(['/auth/session', '/auth/csrf'])('asks %s as nobody', async url => {
    for (const rules of [{ isr: 60 }, { cache: { varies: ['cookie'] } }]) {
      const page = await visit(rules)
      const inner = await visit({})
      Object.assign(inner.node.req, { url, __unenv__: page.context })
      const answer: Response = await auth.handler(inner)
      expect((await answer.json())?.user).toBeUndefined()
      expect(page.node.res.getHeader('set-cookie')).toBeUndefined()
    }
  })

  it('by no rule is for whoever asks', async () => {
    const event = await visit({ cache: false, headers: {} })
    expect(await auth.getSession(event)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('is for nobody while pages are prerendered', async () => {
    const building = SiteAuth({ providers: [] })
    building.plugin({ hooks: { hook() {} } }, { isPrerendering: true })
    const event = await visit({})
    expect(await building.getSession(event)).toBeNull()
    await expect(building.requireSession(event)).rejects.toThrow('prerendered')
  })
})

describe('a page that hands over who it was rendered for', () => {
  const auth = SiteAuth(config)
  let arrive: (event: H3Event) => void
  auth.plugin({
    hooks: {
      hook(_, run) {
        arrive = run
      },
    },
  })
  async function visit(
    name: string | null,
    headers: object = {},
    context: object | undefined = undefined,
    isLocal: boolean = context !== undefined,
  ): Promise<H3Event> {
    const req = new IncomingMessage(new Socket())
    const sent = { host: 'localhost', ...(name && (await headersOf(name))), ...headers }
    Object.assign(req, { url: '/', method: 'GET', headers: sent })
    // As Nitro marks requests that come by no connection.
    if (isLocal) Object.assign(req, { __unenv__: context })
    const event = createEvent(req, new ServerResponse(req))
    arrive(event)
    return event
  }
  const cachingOf = ({ node: { res } }: H3Event) => res.getHeader('cache-control')

  it('is kept by no cache, whatever is said later', async () => {
    for (const name of ['Ada', null]) {
      const event = await visit(name)
      expect((await sessionFor(event))?.user?.name ?? null).toBe(name)
      setResponseHeader(event, 'cache-control', 'public')
      expect(cachingOf(event)).toBe(NEVER)
    }
  })

  it.each([
    ['cache-control', 's-maxage=60'],
    ['cache-control', 'no-cache'],
    ['cdn-cache-control', 'max-age=60'],
  ])('says nothing where caches were told %s: %s', async (header, value) => {
    const event = await visit('Ada')
    setResponseHeader(event, header, value)
    expect(await sessionFor(event)).toBeUndefined()
    expect(event.node.res.getHeader(header)).toBe(value)
  })

  it.each([{ cache: {} }, { swr: true }, { isr: 60 }, { prerender: true }])(
    'says nothing where Nitro keeps it by %o',
    async routeRules => {
      const event = await visit('Ada')
      event.context['_nitro'] = { routeRules }
      expect(await sessionFor(event)).toBeUndefined()
      expect(cachingOf(event)).toBeUndefined()
    },
  )

  it("says nothing on the application's error page", async () => {
    const event = await visit('Ada', { 'x-nuxt-error': 'true' })
    event._path = '/__nuxt_error?statusCode=404&url=/account'
    expect(await sessionFor(event)).toBeUndefined()
  })

  it.each([
    ['over a connection', undefined],
    ['on a platform that has none', { _platform: { cloudflare: {} } }],
  ])('%s, a header does not make an error page of it', async (_, platform) => {
    const event = await visit('Ada', { 'x-nuxt-error': 'true' }, platform)
    expect(event.node.req.headers['x-nuxt-error']).toBeUndefined()
    expect(event.headers.has('x-nuxt-error')).toBe(false)
    expect((await sessionFor(event))?.user?.name).toBe('Ada')
  })

  it('strangers are not let through by that header', async () => {
    const { signInPageFor } = setUpPage(createSSRApp({ render: () => null }), {
      basePath: '/auth',
      session: await sessionFor(await visit(null, { 'x-nuxt-error': 'true' })),
    })
    expect(await signInPageFor('/account')).toBe('/auth/signin?callbackUrl=%2Faccount')
  })

  it('the header stays on what the server asks of itself, so that no error page is made for one', async () => {
    const outer = await visit('Ada')
    for (const context of [undefined, outer.context, {}]) {
      const inner = await visit('Ada', { 'x-nuxt-error': 'true' }, context, true)
      expect(inner.headers.get('x-nuxt-error')).toBe('true')
    }
  })

  it('says nothing where the session cannot be read', async () => {
    const broken = SiteAuth({ ...config, secret: [] })
    broken.plugin({ hooks: { hook: (_, run) => (arrive = run) } })
    expect(await sessionFor(await visit('Ada'))).toBeUndefined()
  })
})
