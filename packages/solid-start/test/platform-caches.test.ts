import { inspect } from 'node:util'
import { AuthError } from '@siteauth/core/errors'
import { getSession, SiteAuth, type SolidEvent } from '@siteauth/solid-start'
import { sharedConfig } from 'solid-js'
import { afterEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { eventOf, runIn, visit } from './visit.ts'

// What SolidStart, h3 and Nitro do around the library.

const auth = SiteAuth(config)

/** An event with more of what h3 has. */
function withNative(event: SolidEvent, nativeEvent: object): SolidEvent {
  return { ...event, nativeEvent: { ...event.nativeEvent, ...nativeEvent } }
}

describe('where there is no request', () => {
  afterEach(() => {
    Reflect.deleteProperty(sharedConfig, 'context')
  })

  it('nobody is taken for whoever came last', async () => {
    const event = eventOf('/', { headers: await headersOf('Ada') })
    await visit(auth, event)
    // SolidStart leaves it there after each request to an API route or a server function.
    Object.assign(sharedConfig, { context: { event } })
    await expect(auth.getSession()).rejects.toThrow('There is no request here')
    await expect(auth.guard()).rejects.toThrow('There is no request here')
  })

  it('middleware beside ours sees nobody else', async () => {
    const before = eventOf('/', { headers: await headersOf('Ada') })
    await visit(auth, before)
    Object.assign(sharedConfig, { context: { event: before } })
    await auth.middleware.onRequest(eventOf('/'))
    const beside = async () => (await auth.getSession())?.user?.name
    await expect(beside()).rejects.toThrow('auth.middlewareWith()')
  })
})

describe('an answer that the platform keeps for everybody', () => {
  const kept = async (method = 'GET', isr: unknown = 60) =>
    withNative(eventOf('/', { method, headers: await headersOf('Ada', { daysAgo: 2 }) }), {
      context: { _nitro: { routeRules: { isr } } },
    })

  it('shows nobody, and sets no cookie', async () => {
    const page = async () => `${(await auth.getSession())?.user?.name}`
    for (const isr of [60, true, { expiration: 60 }]) {
      const response = await visit(auth, await kept('GET', isr), { page })
      expect(await response.text()).toBe('undefined')
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  it.each([
    ['guard', () => auth.guard()],
    ['requireSession', () => auth.requireSession()],
    ['signIn', () => auth.signIn('credentials', { name: 'Ada' })],
    ['signOut', () => auth.signOut()],
    ['update', () => auth.update({})],
    ['listSessions', () => auth.sessions.list()],
  ])('is not made by %s', async (_, page) => {
    const event = await kept()
    await expect(visit(auth, event, { page })).rejects.toThrow('isr')
    expect(event.response.headers.getSetCookie()).toEqual([])
  })

  it.each(['session', 'csrf'])('is not that of the endpoint %s', async action => {
    const event = withNative(
      eventOf(`/api/auth/${action}`, { headers: await headersOf('Ada') }),
      (await kept()).nativeEvent,
    )
    await expect(visit(auth, event)).rejects.toThrow("'/api/auth/**': { isr: false }")
    await expect(auth.GET(event)).rejects.toThrow("'/api/auth/**': { isr: false }")
  })

  it('shows nobody to those who read the session by a request', async () => {
    const event = await kept()
    expect(await runIn(event, () => getSession(event.request, config))).toBeNull()
    const free = await kept('GET', false)
    expect(await runIn(free, () => getSession(free.request, config))).not.toBeNull()
  })

  it('is no answer to a form, and none where a rule says so', async () => {
    const page = async () => `${(await auth.getSession())?.user?.name}`
    expect(await (await visit(auth, await kept('POST'), { page })).text()).toBe('Ada')
    expect(await (await visit(auth, await kept('GET', false), { page })).text()).toBe('Ada')
  })
})

it('rules for all paths have no cache keep the endpoints', async () => {
  for (const action of ['session', 'csrf', 'signin', 'providers']) {
    const headers = await headersOf('Ada', { daysAgo: 2 })
    const event = eventOf(`/api/auth/${action}`, { headers })
    // As Nitro does by its route rules.
    event.response.headers.set('cache-control', 's-maxage=60')
    event.response.headers.set('cdn-cache-control', 'max-age=60')
    event.response.headers.set('netlify-cdn-cache-control', 'max-age=60')
    const response = await visit(auth, event)
    expect(response.headers.get('cache-control')).toBe(NEVER)
    expect([...response.headers.keys()].filter(name => name.endsWith('cdn-cache-control'))).toEqual(
      [],
    )
  }
})

describe('a rule for all paths', () => {
  async function visitWithRule(page: (event: SolidEvent) => Promise<unknown>): Promise<Response> {
    const event = eventOf('/', { headers: await headersOf('Ada') })
    event.response.headers.set('cache-control', 's-maxage=60')
    event.response.headers.set('cdn-cache-control', 'max-age=60')
    return visit(auth, event, { page: () => page(event) })
  }

  it('has no cache that people share keep what a guard lets pass', async () => {
    for (const answer of ['page', new Response('page')]) {
      const { headers } = await visitWithRule(async () => {
        await auth.guard()
        await auth.requireSession()
        return answer
      })
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.has('cdn-cache-control')).toBe(false)
    }
  })

  it('does not keep the page from saying otherwise', async () => {
    const { headers } = await visitWithRule(async ({ response }) => {
      await auth.guard()
      response.headers.set('cache-control', 'max-age=5')
      await auth.guard()
      return 'page'
    })
    expect(headers.get('cache-control')).toBe('max-age=5')
  })
})

describe('an answer that was sent without us', () => {
  /** As Node has them: they cannot be changed once they are sent. */
  class SentHeaders extends Headers {
    isSent = false
    override set(name: string, value: string): void {
      if (this.isSent) throw new Error('ERR_HTTP_HEADERS_SENT')
      super.set(name, value)
    }
    override append(name: string, value: string): void {
      if (this.isSent) throw new Error('ERR_HTTP_HEADERS_SENT')
      super.append(name, value)
    }
    override delete(name: string): void {
      if (this.isSent) throw new Error('ERR_HTTP_HEADERS_SENT')
      super.delete(name)
    }
  }

  async function sentBySolidStart() {
    const headers = new SentHeaders()
    const given = eventOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const nativeEvent = {
      ...given.nativeEvent,
      get handled() {
        return headers.isSent
      },
    }
    return { event: { ...given, response: { headers }, nativeEvent }, headers }
  }

  it('is left alone', async () => {
    const { event, headers } = await sentBySolidStart()
    const page = async () => {
      await auth.guard()
      // As SolidStart redirects before anything is rendered.
      headers.isSent = true
    }
    await visit(auth, event, { page })
    expect(headers.getSetCookie()).toEqual([SESSION])
  })

  it('renews nothing', async () => {
    const { event, headers } = await sentBySolidStart()
    const page = async () => {
      headers.isSent = true
      return `${(await auth.getSession())?.user?.name}`
    }
    expect(await (await visit(auth, event, { page })).text()).toBe('Ada')
    expect(headers.getSetCookie()).toEqual([])
  })
})

describe('an error that SolidStart sends to the browser', () => {
  const secret = 'postgres://auth:hunter2@10.0.0.5/auth'
  const down = () => {
    throw Object.assign(new Error(`No answer from ${secret}`), { query: `select ${secret}` })
  }
  const broken = SiteAuth({
    ...config,
    providers: [{ id: 'c', name: 'C', type: 'credentials', credentials: {}, authorize: down }],
    callbacks: { session: down },
  })
  const withStore = SiteAuth({
    ...config,
    providers: [],
    adapter: { ...MemoryAdapter(), getSessionAndUser: down },
    session: { strategy: 'database' },
  })

  /** All that it takes of an error. */
  function sentOf(error: object): string {
    const own = Object.getOwnPropertyNames(error)
    return inspect(Object.fromEntries(own.map(name => [name, Reflect.get(error, name)])), {
      depth: 9,
    })
  }

  const TOKEN = { cookie: 'authjs.session-token=a-token' }

  it.each<[string, typeof auth, () => Promise<unknown>]>([
    ['the store by getSession', withStore as typeof auth, () => withStore.getSession()],
    ['the store by update', withStore as typeof auth, () => withStore.update({})],
    ['a callback by getSession', broken as typeof auth, () => broken.getSession()],
    ['a callback by signIn', broken as typeof auth, () => broken.signIn('c', { name: 'x' })],
  ])('says nothing of the server: %s', async (_, site, call) => {
    const headers = site === withStore ? TOKEN : await headersOf('Ada')
    const event = eventOf('/_server', { method: 'POST', headers })
    const thrown = await visit(site, event, {
      page: () =>
        call().then(
          () => null,
          error => Response.json(sentOf(error)),
        ),
    })
    const sent = await thrown.text()
    expect(sent).toContain('type')
    expect(sent).not.toContain('hunter2')
    expect(sent).not.toContain('platform-caches')
  })

  it('is no less of use in the log', async () => {
    const event = eventOf('/', { headers: TOKEN })
    const { onRequest } = withStore.middleware
    await onRequest(event)
    const reading = () => runIn(event, withStore.getSession)
    // Several callers are told of one read.
    const [error] = await Promise.all([reading().catch(x => x), reading().catch(x => x)])
    expect(error).toBeInstanceOf(AuthError)
    expect(inspect(error, { depth: 9 })).toContain('No answer from')
    expect(error.stack).toContain('    at ')
  })

  it('is the same where the session is read by a request', async () => {
    const { request } = eventOf('/', { headers: await headersOf('Ada') })
    const error = await getSession(request, {
      ...config,
      callbacks: { session: down },
    }).catch(x => x)
    expect(sentOf(error)).not.toContain('hunter2')
  })
})

it('an event that does not tell what it was dispatched to is no exemption, and counts as a function', async () => {
  const headers = { accept: 'text/html' }
  const own = { requireSession: { except: ['/login'] } }
  const given = eventOf('/login', { headers })
  expect(await (await visit(auth, given, { own })).text()).toBe('page')
  const untold = { ...eventOf('/login', { headers }), nativeEvent: {} }
  expect((await visit(auth, untold, { own })).status).toBe(302)
  const signOut = visit(
    auth,
    { ...eventOf('/', await signedIn()), nativeEvent: {} },
    {
      page: () => auth.signOut(),
    },
  )
  await expect(signOut).rejects.toThrow('led here')
})

const signedIn = async () => ({ headers: await headersOf('Ada') })

describe('the address of a server function', () => {
  const ADDRESSES = [
    ...['/_server', '/_server/', '/_server/x', '/_serverx', '/%5Fserver', '/_server/%ff'],
    ...['/_server/../login', '/_server;/../login', '/_server\\..\\login', '/_server/%2e%2e/login'],
    ...['/_server/..//api/auth/signin', '/%5fserver%2f..%2flogin', '/_%73erver/../login'],
  ].flatMap(path => ['', '/a', '/a@b'].map(base => [base + path, base] as const))

  it.each(ADDRESSES)('is known by %s with the base "%s"', async (path, base) => {
    const headers = { referer: 'http://localhost/page', 'sec-fetch-site': 'same-origin' }
    const event = eventOf(`${path}?id=1&name=x&y=%zz`, { headers, base })
    const response = await visit(auth, event, { page: () => auth.guard() })
    const location = new URL(response.headers.get('location') ?? '')
    // Not back to the function, which would then run.
    expect(location.searchParams.get('callbackUrl')).toBe('http://localhost/page')
  })

  it.each(['/page/_server', '//_server', '/login/../_server', '/page?/_server', '/a/../_server'])(
    'is not %s, which is a page',
    async path => {
      const headers = { accept: 'text/html', referer: 'http://localhost/other' }
      const response = await visit(auth, eventOf(path, { headers }), { page: () => auth.guard() })
      const callbackUrl = new URL(response.headers.get('location') ?? '', 'http://localhost')
      expect(callbackUrl.searchParams.get('callbackUrl')).not.toContain('/other')
    },
  )

  it.each(ADDRESSES)('signs nobody in or out by a link to %s in a mail', async (path, base) => {
    for (const site of [{ 'sec-fetch-site': 'none' }, {}]) {
      for (const method of ['GET', 'HEAD']) {
        const headers = { ...(await headersOf('Ada')), ...site }
        for (const page of [
          () => auth.signOut(),
          () => auth.signIn('credentials', { name: 'Eve' }),
          () => auth.update({ name: 'Eve' }),
        ]) {
          const event = eventOf(`${path}?id=1&name=x&y=%zz`, { method, headers, base })
          await expect(visit(auth, event, { page })).rejects.toThrow('led here')
          expect(event.response.headers.getSetCookie()).toEqual([])
        }
      }
    }
  })

  it('does not make endpoints of another method', async () => {
    const headers = { ...(await headersOf('Ada')), 'x-server-id': '1' }
    const response = await visit(auth, eventOf('/api/auth/session', { headers }))
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } })
    const below = SiteAuth({ ...config, basePath: '/_serverless/auth' })
    const session = eventOf('/_serverless/auth/session', { headers: await headersOf('Ada') })
    expect(await (await visit(below, session)).json()).toMatchObject({ user: { name: 'Ada' } })
  })

  it('serves scripts of its own pages by GET as well', async () => {
    const headers = { ...(await headersOf('Ada')), 'x-server-id': '1' }
    const event = eventOf('/_server', { headers })
    expect((await visit(auth, event, { page: () => auth.signOut() })).status).toBe(303)
  })
})

it('a fault of the configuration is called what it is', async () => {
  const faulty = SiteAuth({ ...config, secret: [] })
  const event = eventOf('/', { headers: { accept: 'text/html' } })
  const page = () => faulty.requireSession().catch(({ message }) => message)
  const response = await visit(faulty, event, { page })
  expect([response.status, await response.text()]).toEqual([500, 'Internal Server Error'])
})

describe('while the store is down', () => {
  const down = () => {
    throw new Error('down')
  }
  const site = SiteAuth({
    ...config,
    providers: [],
    adapter: { ...MemoryAdapter(), getSessionAndUser: down },
    session: { strategy: 'database' },
  })
  const token = { cookie: 'authjs.session-token=a-token' }

  it.each([
    ['a page', '/', { accept: 'text/html' }],
    ['a program', '/', {}],
    ['a server function', '/_server', { 'x-server-id': '1' }],
  ])('a guard tells %s so', async (_, path, more) => {
    const event = () => eventOf(path, { headers: { ...token, ...more } })
    const answer = await visit(site, event(), { page: () => site.guard() })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, NEVER])
    expect(answer.headers.getSetCookie()).toEqual([])
    const page = () => site.requireSession().catch(({ message }) => message)
    const refused = await visit(site, event(), { page })
    expect([refused.status, await refused.text()]).toEqual([503, 'Service Unavailable'])
  })

  it('nobody is said to be signed out', async () => {
    const page = () => site.getSession()
    const event = eventOf('/', { headers: token })
    await expect(visit(site, event, { page })).rejects.toThrow('could not be read')
  })
})

it('an allow that throws lets nobody pass', async () => {
  const headers = await headersOf('Ada')
  for (const allow of [
    () => Promise.reject(new Error('of the application')),
    () => {
      throw new Error('of the application')
    },
  ]) {
    for (const page of [() => auth.guard({ allow }), () => auth.requireSession({ allow })]) {
      const visited = visit(auth, eventOf('/', { headers }), { page })
      await expect(visited).rejects.toThrow('of the application')
    }
  }
})
