import Credentials from '@siteauth/core/providers/credentials'
import SiteAuth, { askOnce, type NextAuthConfig } from '@siteauth/next'
import type { NextFetchEvent } from 'next/server.js'
import { NextRequest, NextResponse } from 'next/server.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { createClock, signInAs } from '../../testing/src/index.ts'

const ORIGIN = 'https://example.com'

/** An application whose clock stands still until a test moves it. */
function application(options: Partial<NextAuthConfig> = {}) {
  const clock = createClock(new Date('2030-01-01'))
  const logged: string[] = []
  const config: NextAuthConfig = {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    basePath: '/api/auth',
    logger: { error: error => logged.push(error.message), warn: () => {}, debug: () => {} },
    ports: { now: clock.now },
    providers: [
      Credentials({
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: '1', name: String(name) }),
      }),
    ],
    ...options,
  }
  const { auth, handlers, users } = SiteAuth(config)
  const event = {} as NextFetchEvent // nothing here waits for anything
  return {
    auth,
    handlers,
    users,
    clock,
    logged,
    /** The `Cookie` header of somebody who has signed in. */
    async cookie(): Promise<string> {
      return (await signInAs(config, { id: '1', name: 'Ann' }, { url: ORIGIN })).headers.cookie
    },
    /** What the proxy answers. */
    visit: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      auth(new NextRequest(ORIGIN + path, { headers, method }), event),
    request: (path: string, headers: Record<string, string> = {}) =>
      new NextRequest(ORIGIN + path, { headers }),
    event,
  }
}

const onlyMembers: Partial<NextAuthConfig> = {
  callbacks: { authorized: ({ auth }) => auth !== null },
}
const passes = (response: Response) => response.headers.get('x-middleware-next') === '1'

describe('the proxy', () => {
  it('lets everybody pass where nobody asks', async () => {
    const response = await application().visit('/')
    expect(passes(response)).toBe(true)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('sends strangers to the built-in page, with the address they wanted', async () => {
    const { status, headers } = await application(onlyMembers).visit('/a?b=c')
    expect(status).toBe(307)
    expect(headers.get('location')).toBe(
      `${ORIGIN}/api/auth/signin?callbackUrl=${encodeURIComponent(`${ORIGIN}/a?b=c`)}`,
    )
    expect(headers.get('cache-control')).toContain('no-store')
  })

  it('keeps the query that the address of a page of the application has', async () => {
    const pages = { signIn: '/login?theme=dark' }
    const { headers } = await application({ ...onlyMembers, pages }).visit('/a')
    expect(headers.get('location')).toBe(
      `${ORIGIN}/login?theme=dark&callbackUrl=${encodeURIComponent(`${ORIGIN}/a`)}`,
    )
  })

  it('sends a form back to the page that it was on', async () => {
    const headers = { referer: `${ORIGIN}/cart` }
    const response = await application(onlyMembers).visit('/pay', headers, 'POST')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toContain(encodeURIComponent(`${ORIGIN}/cart`))
  })

  it.each(['https://evil.example/cart', 'https://example.com.evil.example/', 'nonsense'])(
    'sends a form that was on %s back to where it was sent',
    async referer => {
      const response = await application(onlyMembers).visit('/pay', { referer }, 'POST')
      const to = new URL(response.headers.get('location') ?? '')
      expect(to.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/pay`)
    },
  )

  it('leaves what Next adds to an address out of where people return to', async () => {
    const headers = { referer: `${ORIGIN}/cart?_rsc=1&size=2` }
    const site = application(onlyMembers)
    const answers = [await site.visit('/a?_rsc=1'), await site.visit('/pay', headers, 'POST')]
    const returns = answers.map(({ headers }) =>
      new URL(headers.get('location') ?? '').searchParams.get('callbackUrl'),
    )
    expect(returns).toEqual([`${ORIGIN}/a`, `${ORIGIN}/cart?size=2`])
  })

  it.each([
    ['application/json', 401],
    ['application/problem+json, */*', 401],
    ['application/json, text/html', 307],
    ['*/*', 307], // as Next's router asks for a page
    ['text/x-component', 307],
  ])('answers strangers who accept %s with %i', async (accept, status) => {
    const response = await application(onlyMembers).visit('/a', { accept })
    expect(response.status).toBe(status)
    if (status === 401) expect(await response.json()).toEqual({ error: 'Unauthorized' })
  })

  it('takes whoever says that it is a script for a program, whatever it accepts', async () => {
    const headers = { accept: 'text/html, */*', 'x-requested-with': 'XMLHttpRequest' }
    expect((await application(onlyMembers).visit('/a', headers)).status).toBe(401)
  })

  it.each(['/login', '/login.rsc', '/LOGIN', '/x/../login'])(
    'shows no page of its own at %s for a sign-in page on another host that headers claim',
    async path => {
      const pages = { signIn: 'https://id.example/login' }
      const claims = { 'x-forwarded-host': 'id.example', 'x-forwarded-proto': 'https' }
      for (const trustHost of [true, ['example.com', 'id.example'], ['*.example']]) {
        const { visit } = application({ ...onlyMembers, pages, trustHost })
        for (const headers of [{}, claims, { host: 'id.example' }]) {
          expect(passes(await visit(path, headers))).toBe(false)
        }
      }
      vi.stubEnv('AUTH_URL', ORIGIN)
      onTestFinished(() => void vi.unstubAllEnvs())
      expect(passes(await application({ ...onlyMembers, pages }).visit(path, claims))).toBe(false)
      const own = { signIn: 'https://example.com/login' }
      const { visit } = application({ ...onlyMembers, pages: own })
      expect(passes(await visit('/login'))).toBe(true)
    },
  )

  it.each(['/shop/login', '/shop/api/auth/session', '/shop/api/auth/signin/x', '/shop/shop/login'])(
    'opens no page at %s, where a proxy cuts /shop off before it',
    async path => {
      vi.stubEnv('AUTH_URL', `${ORIGIN}/shop/api/auth`)
      onTestFinished(() => void vi.unstubAllEnvs())
      const { visit, auth, request, event } = application({
        ...onlyMembers,
        pages: { signIn: '/login' },
      })
      expect(passes(await visit(path))).toBe(false)
      expect(passes(await visit(path, { 'next-action': 'x' }, 'POST'))).toBe(false)
      expect(passes(await visit('/login'))).toBe(true)
      expect(passes(await visit('/api/auth/session'))).toBe(true)
      let ran = 0
      const handler = auth(() => {
        ran++
        return new Response()
      })
      await handler(request(path), { params: Promise.resolve({}) })
      await handler(request(path), event)
      expect(ran).toBe(0)
    },
  )

  it.each(['/login', '/api/auth/session', '/api/auth/signin'])(
    'is not asked in place of a route handler that asks itself, at %s',
    async path => {
      const { auth, request } = application({ ...onlyMembers, pages: { signIn: '/login' } })
      let ran = 0
      const handler = auth(() => {
        ran++
        return new Response()
      })
      const { status } = await handler(request(path), { params: Promise.resolve({}) })
      expect([status, ran]).toEqual([401, 0])
    },
  )

  it('takes no action for an endpoint', async () => {
    const { visit } = application(onlyMembers)
    for (const path of ['/api/auth/sessions', '/api/auth/signin/x']) {
      expect(passes(await visit(path, { 'next-action': 'x' }, 'POST'))).toBe(false)
    }
  })

  it.each(['evil\\login?', 'evil/login#', 'x@evil/login?', 'evil evil', ''])(
    'answers 400 if the Host is "%s"',
    async host => {
      const pages = { signIn: '/login' }
      for (const path of ['/', '/login', '/api/auth/session']) {
        const { status } = await application({ ...onlyMembers, pages }).visit(path, { host })
        expect(status).toBe(400)
      }
    },
  )

  describe('for somebody who is signed in, and may not', () => {
    const refusing: Partial<NextAuthConfig> = { callbacks: { authorized: () => false } }

    it('answers 403, with a way to sign in as somebody else', async () => {
      const site = application(refusing)
      const response = await site.visit('/a?b="<', { cookie: await site.cookie() })
      expect(response.status).toBe(403)
      expect(response.headers.get('cache-control')).toContain('no-store')
      const [, href = ''] = /href="([^"]*)"/.exec(await response.text()) ?? []
      const to = new URL(href.replaceAll('&amp;', '&'))
      expect(to.pathname).toBe('/api/auth/signin')
      expect(to.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/a?b=%22%3C`)
    })

    it('answers programs 403, too', async () => {
      const site = application(refusing)
      const cookie = await site.cookie()
      const response = await site.visit('/a', { cookie, accept: 'application/json' })
      expect([response.status, await response.json()]).toEqual([403, { error: 'Forbidden' }])
    })

    it('answers 403 in place of a route handler', async () => {
      const site = application(refusing)
      const route = site.auth(() => Response.json('secret'))
      const cookie = await site.cookie()
      const context = { params: Promise.resolve({}) }
      expect((await route(site.request('/api/x', { cookie }), context)).status).toBe(403)
    })
  })

  it('sends nobody to a host that a path names', async () => {
    const { headers } = await application(onlyMembers).visit('//evil.example/a')
    const to = new URL(headers.get('location') ?? '')
    expect(to.origin).toBe(ORIGIN)
    expect(new URL(to.searchParams.get('callbackUrl') ?? '').origin).toBe(ORIGIN)
  })

  it.each(['/login', '/login/', '/login?callbackUrl=/x', '/oops', '/check', '/bye'])(
    'lets everybody see %s, which they need',
    async path => {
      const pages = { signIn: '/login', error: '/oops', verifyRequest: '/check', signOut: '/bye' }
      expect(passes(await application({ ...onlyMembers, pages }).visit(path))).toBe(true)
    },
  )

  it.each(['/login2', '/loginx/', '/a/login', '/welcome'])('guards %s', async path => {
    const pages = { signIn: '/login', newUser: '/welcome' }
    expect((await application({ ...onlyMembers, pages }).visit(path)).status).toBe(307)
  })

  it.each(['session', 'csrf', 'callback/credentials', 'signin/', 'providers?x=1'])(
    'keeps out of the way of the endpoint %s',
    async path => {
      expect(passes(await application(onlyMembers).visit(`/api/auth/${path}`))).toBe(true)
    },
  )

  describe('with endpoints at the root', () => {
    const atRoot = { ...onlyMembers, basePath: '/' }
    const script = '/assets/page.0123456789abcdef.js'

    it.each([
      '/session',
      '/error',
      '/signin',
      '/signin/credentials',
      '/callback/credentials',
      script,
    ])('keeps out of the way of %s', async path => {
      expect(passes(await application(atRoot).visit(path))).toBe(true)
    })

    it.each([
      '/assets',
      '/assets/report.pdf',
      '/assets//page.js',
      '/callback/x',
      '/signin/x',
      '/a',
    ])('guards %s, which is no endpoint', async path => {
      expect((await application(atRoot).visit(path)).status).toBe(307)
    })

    it('keeps out of the way of providers that only the endpoints know', async () => {
      const site = application({ ...atRoot, providers: [] })
      expect(passes(await site.visit('/callback/github'))).toBe(true)
    })
  })

  it.each(['/api/auth', '/api/auth/secrets', '/api/authsession', '/x/api/auth/session'])(
    'guards %s, which is no endpoint',
    async path => {
      expect((await application(onlyMembers).visit(path)).status).toBe(307)
    },
  )

  it('takes undefined for no', async () => {
    const callbacks = { authorized: () => undefined }
    expect((await application({ callbacks }).visit('/')).status).toBe(307)
  })

  it('answers what the callback answers, and adds cookies to it that cannot be changed', async () => {
    const callbacks = { authorized: () => Response.redirect(`${ORIGIN}/elsewhere`) }
    const site = application({ callbacks })
    const cookie = await site.cookie()
    site.clock.advance({ days: 2 })
    const response = await site.visit('/', { cookie })
    expect(response.headers.get('location')).toBe(`${ORIGIN}/elsewhere`)
    expect(response.headers.getSetCookie()).toHaveLength(1)
  })

  it.each([
    ['the very page', () => '/here'],
    [
      'itself from itself',
      (url: URL) => `/here?from=${encodeURIComponent(url.pathname + url.search)}`,
    ],
  ])('stops a redirect to %s, and says so', async (_what, to) => {
    const site = application({
      callbacks: {
        authorized: ({ request }) => Response.redirect(new URL(to(request.nextUrl), ORIGIN)),
      },
    })
    let response = await site.visit('/here')
    for (let hops = 0; response.status === 302 && hops < 3; hops++) {
      response = await site.visit((response.headers.get('location') ?? '').slice(ORIGIN.length))
    }
    expect(response.status).toBe(508)
    expect(site.logged.join()).toContain('The authorized callback redirects /here to /here')
  })

  it('lets a redirect to itself pass that sets a cookie', async () => {
    const headers = { location: '/here', 'set-cookie': 'seen=1' }
    const site = application({
      callbacks: { authorized: () => new Response(null, { status: 307, headers }) },
    })
    expect((await site.visit('/here')).headers.get('location')).toBe(`${ORIGIN}/here`)
  })

  it('shows the sign-in page where the callback would send people who are on it to it', async () => {
    const site = application({
      pages: { signIn: '/login' },
      callbacks: { authorized: () => Response.redirect(`${ORIGIN}/login`) },
    })
    expect(passes(await site.visit('/login'))).toBe(true)
  })
})

describe('a wrapped function', () => {
  it('does not run if authorized says no', async () => {
    const site = application(onlyMembers)
    const handler = vi.fn()
    const proxy = site.auth(handler)
    expect((await proxy(site.request('/'), site.event)).status).toBe(307)
    expect(handler).not.toHaveBeenCalled()
    const cookie = await site.cookie()
    await proxy(site.request('/', { cookie }), site.event)
    expect(handler).toHaveBeenCalledOnce()
  })

  it('is told by 401 to programs, where it is a route handler', async () => {
    const site = application(onlyMembers)
    const route = site.auth(() => Response.json('secret'))
    const context = { params: Promise.resolve({}) }
    const response = await route(site.request('/api/x', { accept: 'application/json' }), context)
    expect([response.status, await response.json()]).toEqual([401, { error: 'Unauthorized' }])
    expect((await route(site.request('/x', { accept: 'text/html' }), context)).status).toBe(307)
  })

  it('is a function also where the configuration is one', async () => {
    const { auth } = SiteAuth(async () => ({
      providers: [],
      secret: 'x'.repeat(32),
      trustHost: true,
    }))
    const proxy = auth(request => Response.json(request.auth))
    expect(proxy).toBeTypeOf('function')
    const response = await proxy(new NextRequest(ORIGIN), {} as NextFetchEvent)
    expect(await response.json()).toBeNull()
  })

  it('of a route has to answer something', async () => {
    const site = application()
    const route = site.auth(() => undefined)
    const context = { params: Promise.resolve({}) }
    await expect(route(site.request('/'), context)).rejects.toThrow('returned nothing')
  })
})

describe('a user who was signed out everywhere', () => {
  it('is a stranger to the proxy', async () => {
    const app = application({
      ...onlyMembers,
      adapter: MemoryAdapter(),
      session: { strategy: 'jwt' },
    })
    const cookie = await app.cookie()
    expect((await app.visit('/', { cookie })).status).toBe(200)
    await app.users.endSessions('1')
    expect((await app.visit('/', { cookie })).headers.get('location')).toContain('/signin')
  })
})

describe('a session that is due', () => {
  it('is renewed for the browser and for the page behind the proxy', async () => {
    const site = application()
    const cookie = await site.cookie()
    site.clock.advance({ days: 2 })
    const response = await site.visit('/', { cookie: `a=1; ${cookie}; b=2`, 'x-other': 'kept' })
    const [renewed = ''] = response.headers.getSetCookie()
    const pair = renewed.split(';')[0]
    expect(renewed).toContain('authjs.session-token=')
    const others = cookie.split('; ').filter(each => !each.includes('session-token='))
    const expected = ['a=1', ...others, 'b=2', pair].join('; ')
    expect(response.headers.get('x-middleware-request-cookie')).toBe(expected)
    expect(response.headers.get('x-middleware-request-x-other')).toBe('kept')
    expect(response.headers.get('x-middleware-override-headers')?.split(',')).toEqual(
      expect.arrayContaining(['cookie', 'x-other']),
    )
  })

  it('is put on the answer of another middleware, beside what that one wants', async () => {
    const site = application()
    const cookie = await site.cookie()
    site.clock.advance({ days: 2 })
    const request = site.request('/', { cookie, drop: 'me' })
    const { session, applyTo } = await site.auth.session(request)
    expect(session?.user?.name).toBe('Ann')
    const headers = new Headers({ cookie, language: 'de' })
    const other = NextResponse.rewrite(`${ORIGIN}/de`, { request: { headers } })
    other.cookies.set('language', 'de')
    const response = applyTo(other)
    expect(response.headers.get('x-middleware-rewrite')).toBe(`${ORIGIN}/de`)
    expect(response.headers.get('x-middleware-override-headers')).toBe('cookie,language')
    expect(response.headers.getSetCookie().map(line => line.split('=')[0])).toEqual([
      'language',
      '__Secure-authjs.session-token',
    ])
  })

  it('is not touched at the endpoints, which may be ending it', async () => {
    const site = application()
    const cookie = await site.cookie()
    site.clock.advance({ days: 2 })
    const response = await site.visit('/api/auth/signout', { cookie }, 'POST')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('costs a response that needs nothing no copy', async () => {
    const site = application()
    const { applyTo } = await site.auth.session(site.request('/'))
    const response = new Response()
    expect(applyTo(response)).toBe(response)
  })
})

describe('a cache', () => {
  const PRIVATE = 'private, no-cache, no-store'
  const cacheControl = ({ headers }: Response) => headers.get('cache-control')
  const PUBLIC = { 'cache-control': 'public, s-maxage=600', 'cdn-cache-control': 'max-age=600' }
  const route = { params: Promise.resolve({}) }

  const passesBy = ({ headers }: Response) =>
    headers.has('x-middleware-next') || headers.has('x-middleware-rewrite')

  it('keeps nothing that carries a renewed session', async () => {
    const site = application()
    const cookie = await site.cookie()
    site.clock.advance({ days: 2 })
    const { applyTo } = await site.auth.session(site.request('/', { cookie }))
    const answers = [
      await site.visit('/', { cookie }),
      await site.auth(() => undefined)(site.request('/', { cookie }), site.event),
      await site.auth(() => new Response('x', { headers: PUBLIC }))(
        site.request('/', { cookie }),
        route,
      ),
      applyTo(NextResponse.rewrite(`${ORIGIN}/de`)),
      applyTo(new Response('x', { headers: PUBLIC })),
    ]
    for (const answer of answers) {
      expect(answer.headers.getSetCookie()).toHaveLength(1)
      expect(cacheControl(answer)).toBe(PRIVATE)
      // What lies behind could say otherwise, if the proxy said nothing.
      expect(answer.headers.get('cdn-cache-control')).toBe(passesBy(answer) ? 'no-store' : null)
    }
  })

  it('keeps nothing that carries the end of a session', async () => {
    const site = application()
    const cookie = await site.cookie()
    site.clock.advance({ days: 31 })
    expect(cacheControl(await site.visit('/', { cookie }))).toBe(PRIVATE)
  })

  it.each<[string, Partial<NextAuthConfig>['callbacks']]>([
    ['by true', { authorized: ({ auth }) => auth !== null }],
    ['by an answer', { authorized: ({ auth }) => auth !== null && NextResponse.next() }],
    [
      'by an answer of its own',
      { authorized: ({ auth }) => auth !== null && new Response('x', { headers: PUBLIC }) },
    ],
  ])('keeps nothing that authorized let pass %s because of a session', async (_how, callbacks) => {
    const site = application({ callbacks })
    const cookie = await site.cookie()
    expect(cacheControl(await site.visit('/', { cookie }))).toBe(PRIVATE)
    const wrapped = site.auth(() => new Response('x', { headers: PUBLIC }))
    expect(cacheControl(await wrapped(site.request('/', { cookie }), route))).toBe(PRIVATE)
  })

  it('keeps nothing that a wrapped proxy let pass with a session', async () => {
    const site = application()
    const cookie = await site.cookie()
    const proxy = site.auth(request => (request.auth ? undefined : new Response(null)))
    expect(cacheControl(await proxy(site.request('/', { cookie }), site.event))).toBe(PRIVATE)
  })

  it('keeps what a wrapped route handler says that it may', async () => {
    const site = application()
    const cookie = await site.cookie()
    const wrapped = site.auth(() => new Response('x', { headers: PUBLIC }))
    const answer = await wrapped(site.request('/', { cookie }), route)
    expect(cacheControl(answer)).toBe(PUBLIC['cache-control'])
  })

  it('keeps what strangers see', async () => {
    const site = application({ callbacks: { authorized: () => true } })
    expect(cacheControl(await site.visit('/'))).toBeNull()
    expect(cacheControl(await site.auth(() => {})(site.request('/'), site.event))).toBeNull()
  })

  it('keeps what passes a proxy that decides nothing', async () => {
    const site = application()
    expect(cacheControl(await site.visit('/', { cookie: await site.cookie() }))).toBeNull()
  })
})

describe('what a proxy tells the page behind it', () => {
  const RECEIPT_HEADER = 'x-siteauth-asked'
  const told = ({ headers }: Response) => headers.get(`x-middleware-request-${RECEIPT_HEADER}`)
  const route = { params: Promise.resolve({}) }
  const stay: NonNullable<NonNullable<NextAuthConfig['callbacks']>['jwt']> = ({ token }) => token

  /** A page behind a proxy, each with a callback of its own. Answers how often that of the page ran. */
  async function behind(ofProxy: typeof stay, make: (run: () => void) => typeof stay) {
    const proxy = application({ callbacks: { jwt: ofProxy } })
    const cookie = await proxy.cookie()
    const receipt = told(await proxy.visit('/', { cookie }))
    let runs = 0
    const page = application({ callbacks: { jwt: make(() => runs++) } })
    const read = page.auth(request => Response.json(request.auth))
    const headers = { cookie, ...(receipt && { [RECEIPT_HEADER]: receipt }) }
    const session = await (await read(page.request('/', headers), route)).json()
    return { runs, session, receipt }
  }

  it('spares the callback that it has asked', async () => {
    const { runs } = await behind(askOnce('one', stay), run =>
      askOnce('one', ({ token }) => {
        run()
        return token
      }),
    )
    expect(runs).toBe(0)
  })

  it.each([
    ['without a name', (callback: typeof stay) => callback],
    ['of another name', (callback: typeof stay) => askOnce('other', callback)],
  ])('does not spare a callback %s, which may end the session', async (_which, named) => {
    for (const ofProxy of [stay, askOnce('one', stay)]) {
      const { runs, session } = await behind(ofProxy, run =>
        named(() => {
          run()
          return null
        }),
      )
      expect(runs).toBe(1)
      expect(session).toBeNull()
    }
  })

  it('is not believed by another proxy, and taken off there', async () => {
    let runs = 0
    const jwt = askOnce('one', (({ token }) => {
      runs++
      return token
    }) as typeof stay)
    const site = application({ callbacks: { jwt } })
    const cookie = await site.cookie()
    const sealed = told(await site.visit('/', { cookie })) ?? ''
    runs = 0
    const passed = await site.visit('/', { cookie, [RECEIPT_HEADER]: sealed })
    expect(runs).toBe(1)
    expect(told(passed)).not.toBe(sealed)
  })

  it.each([
    ['a proxy', {}],
    ['a proxy with a callback that has no name', { callbacks: { jwt: stay } }],
  ])('is taken off by %s, where a visitor says it', async (_which, options) => {
    const site = application(options)
    const response = await site.visit('/', { [RECEIPT_HEADER]: 'yes', 'x-other': 'kept' })
    expect(response.headers.get('x-middleware-override-headers')).toBe('x-other')
    expect(told(response)).toBeNull()
  })

  it('is taken off on the way to the endpoints, where a visitor says it', async () => {
    const sent = { [RECEIPT_HEADER]: 'yes', 'x-other': 'kept' }
    const response = await application().visit('/api/auth/session', sent)
    expect(passes(response)).toBe(true)
    expect(response.headers.get('x-middleware-override-headers')).toBe('x-other')
  })

  it('is taken off what another middleware hands on', async () => {
    const site = application()
    const request = site.request('/', { [RECEIPT_HEADER]: 'yes', 'x-other': 'kept' })
    const { applyTo } = await site.auth.session(request)
    const response = applyTo(NextResponse.next({ request: { headers: request.headers } }))
    expect(response.headers.get('x-middleware-override-headers')).toBe('x-other')
    expect(told(response)).toBeNull()
  })
})

describe('a request that stays open', () => {
  it('has no session any more when that has ended', async () => {
    const site = application()
    const req = { headers: { cookie: await site.cookie(), 'x-forwarded-proto': 'https' } }
    const call = site.auth as (...given: unknown[]) => Promise<unknown>
    expect(await call(req)).not.toBeNull()
    site.clock.advance({ days: 31 })
    expect(await call(req)).toBeNull()
  })
})

describe('a session that cannot be read', () => {
  const broken = (options: Partial<NextAuthConfig> = {}) => {
    const state = { isDown: false }
    const site = application({
      ...options,
      callbacks: {
        ...options.callbacks,
        session: ({ session }) => {
          if (state.isDown) throw new Error('the store is down')
          return session
        },
      },
    })
    return { site, state }
  }

  it('is 503 where somebody decides by it, and not nobody', async () => {
    const { site, state } = broken(onlyMembers)
    const cookie = await site.cookie()
    state.isDown = true
    expect((await site.visit('/', { cookie })).status).toBe(503)
    const handler = vi.fn()
    expect((await site.auth(handler)(site.request('/', { cookie }), site.event)).status).toBe(503)
    expect(handler).not.toHaveBeenCalled()
    expect(site.logged).toContain('The session could not be read.')
  })

  it('lets requests pass where nobody does', async () => {
    const { site, state } = broken()
    const cookie = await site.cookie()
    state.isDown = true
    expect(passes(await site.visit('/', { cookie }))).toBe(true)
  })

  it('is an AuthError for those who ask', async () => {
    const { site, state } = broken()
    const cookie = await site.cookie()
    state.isDown = true
    await expect(site.auth.session(site.request('/', { cookie }))).rejects.toMatchObject({
      type: 'JWTSessionError',
    })
  })

  describe('because the configuration has faults', () => {
    const faulty = { session: { strategy: 'database' as const }, ...onlyMembers }

    it('is 500, and does not tell strangers why', async () => {
      const response = await application(faulty).visit('/')
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain('adapter')
    })

    it('tells why in development', async () => {
      vi.stubEnv('NODE_ENV', 'development')
      const response = await application(faulty).visit('/')
      expect(response.status).toBe(500)
      expect(await response.text()).toMatch(/^MissingAdapter: .*adapter/m)
    })

    it('is logged once, however many requests find it', async () => {
      const site = application(faulty)
      for (const path of ['/', '/a', '/b']) await site.visit(path)
      await expect(site.auth.session(site.request('/'))).rejects.toThrow()
      await site.handlers.GET(site.request('/api/auth/session'))
      expect(site.logged).toHaveLength(1)
    })
  })
})

describe('in API routes and getServerSideProps', () => {
  it('reads without a response, and renews with one', async () => {
    const site = application()
    const cookie = await site.cookie()
    site.clock.advance({ days: 2 })
    const req = { headers: { cookie, 'x-forwarded-proto': 'https' } }
    const set: unknown[] = []
    const res = {
      headersSent: false,
      getHeader: () => 'theme=dark',
      setHeader: (_name: string, value: unknown) => set.push(value),
    }
    const call = site.auth as (...given: unknown[]) => Promise<{ user?: { name?: string } } | null>
    expect((await call(req))?.user?.name).toBe('Ann')
    expect((await call(req, res))?.user?.name).toBe('Ann')
    expect(set).toEqual([['theme=dark', expect.stringContaining('__Secure-authjs.session-token=')]])
    expect((await call({ req: { headers: { ...req.headers } }, res }))?.user?.name).toBe('Ann')
  })
})

it('can be loaded and asked in plain Node, and says where it has to be called', async () => {
  await expect(application().auth()).rejects.toThrow('outside a request scope')
})

describe('a request whose sender names the page that it comes from', () => {
  const NEXT_URL = { 'next-url': '/dashboard', 'x-other': 'kept' }
  /** The headers that Next takes over from the proxy; undefined if it leaves them as they were. */
  const headersBehind = (response: Response) =>
    response.headers.get('x-middleware-override-headers')?.split(',').sort()
  const members = (more: Partial<NextAuthConfig> = {}) =>
    application({ ...onlyMembers, pages: { signIn: '/login' }, ...more })

  it('is shown no other route in place of an exempt page', async () => {
    const { visit } = members()
    const response = await visit('/login', NEXT_URL)
    expect(passes(response)).toBe(true)
    expect(headersBehind(response)).toEqual(['x-other'])
  })

  it('is shown none in place of an endpoint', async () => {
    expect(headersBehind(await members().visit('/api/auth/signin', NEXT_URL))).toEqual(['x-other'])
  })

  it('is shown none in place of an exempt page behind a wrapped function', async () => {
    const { auth, request, event } = members()
    const proxy = auth(() => NextResponse.next())
    expect(headersBehind(await proxy(request('/login', NEXT_URL), event))).toEqual(['x-other'])
  })

  it('is shown none while sessions cannot be read', async () => {
    const adapter = MemoryAdapter()
    adapter.getSessionAndUser = () => Promise.reject(new Error('The database is down.'))
    const { visit } = members({ adapter, session: { strategy: 'database' } })
    const cookie = '__Secure-authjs.session-token=x'
    const response = await visit('/login', { ...NEXT_URL, cookie })
    expect(passes(response)).toBe(true)
    expect(headersBehind(response)).toEqual(['cookie', 'x-other'])
  })

  it('is shown it where authorized says yes', async () => {
    const { visit, cookie } = members()
    const response = await visit('/login', { ...NEXT_URL, cookie: await cookie() })
    expect(passes(response)).toBe(true)
    expect(headersBehind(response)?.includes('next-url') ?? true).toBe(true)
  })
})

it('the data of a sign-in page at / are not exempt: Next calls those of /index the same', async () => {
  const { visit } = application({ ...onlyMembers, pages: { signIn: '/' } })
  expect(passes(await visit('/'))).toBe(true)
  expect(passes(await visit('/', { 'x-nextjs-data': '1' }))).toBe(false)
  expect(passes(await visit('/_next/data/build/index.json'))).toBe(false)
})

describe('with languages in front of paths', () => {
  const i18n = { locales: ['en', 'fr'], defaultLocale: 'en' }
  const ask = (path: string, headers: Record<string, string> = {}) => {
    const { auth, event } = application({ ...onlyMembers, pages: { signIn: '/login' } })
    return auth(new NextRequest(ORIGIN + path, { headers, nextConfig: { i18n } }), event)
  }

  // Routes of the App Router exist without a language only: with one, Next looks for another route.
  it.each([
    '/fr/login',
    '/FR/login',
    '/fr/api/auth/signin',
    '/fr/api/auth/session',
    '/_next/data/build/fr/login.json',
    '/_next/data/build/en/login.json',
    '/_next/data/build/en/api/auth/signin.json',
  ])('%s is not exempt', async path => {
    expect(passes(await ask(path))).toBe(false)
  })

  it('data that a header asks for are not exempt', async () => {
    expect(passes(await ask('/login', { 'x-nextjs-data': '1' }))).toBe(false)
    expect(passes(await ask('/api/auth/signin', { 'x-nextjs-data': '1' }))).toBe(false)
  })

  it('the sign-in page and the endpoints are exempt', async () => {
    expect(passes(await ask('/login'))).toBe(true)
    expect(passes(await ask('/api/auth/signin'))).toBe(true)
  })

  it('authorized can exempt a page in all languages', async () => {
    const { auth, event } = application({
      callbacks: {
        authorized: ({ auth: session, request }) =>
          session !== null || request.nextUrl.pathname === '/login',
      },
    })
    const request = new NextRequest(`${ORIGIN}/fr/login`, { nextConfig: { i18n } })
    expect(passes(await auth(request, event))).toBe(true)
  })
})
