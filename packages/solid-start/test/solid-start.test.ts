import { getSession, SiteAuth, SolidAuth } from '@siteauth/solid-start'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { eventOf, runIn, visit } from './visit.ts'

const auth = SiteAuth(config)
const ada = async () => ({ headers: await headersOf('Ada') })
const adaOfOld = async () => ({ headers: await headersOf('Ada', { daysAgo: 2 }) })

describe('a renewed session', () => {
  it.each<[string, () => unknown]>([
    ['a page', () => '<p>page</p>'],
    ['a response whose headers cannot be changed', () => Response.redirect('http://localhost/x')],
    ['a cached one', () => new Response('', { headers: { 'cache-control': 'public' } })],
  ])('is put on %s', async (_, answer) => {
    const page = async () => {
      await auth.getSession()
      return answer()
    }
    const response = await visit(auth, eventOf('/', await adaOfOld()), { page })
    expect(response.headers.getSetCookie()).toEqual([SESSION])
    expect(response.headers.get('cache-control')).toBe(NEVER)
  })

  it('is put on an answer that began to be made before it was read', async () => {
    const page = () => {
      void auth.getSession()
      return 'page'
    }
    const response = await visit(auth, eventOf('/', await adaOfOld()), { page })
    expect(response.headers.getSetCookie()).toEqual([SESSION])
  })

  it('is put on a page that reads it while it renders, and says something else to caches', async () => {
    const event = eventOf('/', await adaOfOld())
    const { onRequest, onBeforeResponse } = auth.middleware
    await onRequest(event)
    const body = new ReadableStream({
      async pull(stream) {
        await runIn(event, auth.getSession)
        event.response.headers.set('cache-control', 'public')
        stream.enqueue('page')
        stream.close()
      },
    })
    const answered: { body: ReadableStream } = { body }
    await onBeforeResponse(event, answered)
    await answered.body.getReader().read()
    expect(event.response.headers.getSetCookie()).toEqual([SESSION])
    expect(event.response.headers.get('cache-control')).toBe(NEVER)
  })

  it('stays where the router replaces what goes with the answer', async () => {
    const event = eventOf('/', await adaOfOld())
    const { headers } = event.response
    await visit(auth, event, {
      page: async () => {
        Object.assign(event, { response: { status: 302, headers: new Headers() } })
        await auth.getSession()
      },
    })
    expect(headers.getSetCookie()).toEqual([SESSION])
  })
})

it('nothing is renewed once the answer has begun', async () => {
  const event = eventOf('/', await adaOfOld())
  await visit(auth, event)
  expect(await runIn(event, auth.getSession)).toMatchObject({ user: { name: 'Ada' } })
  expect(event.response.headers.getSetCookie()).toEqual([])
})

it('a sign-in is known to the page that is rendered for the answer to an action', async () => {
  const event = eventOf('/_server', { method: 'POST', headers: { 'x-server-id': '1' } })
  const page = async () => {
    await auth.getSession()
    await auth.signIn('credentials', { name: 'Ada' })
    const cookie = event.response.headers.getSetCookie().map(line => line.split(';')[0])
    const request = new Request('http://localhost/', { headers: { cookie: cookie.join('; ') } })
    return Response.json(await runIn({ ...event, request }, auth.getSession))
  }
  expect(await (await visit(auth, event, { page })).json()).toMatchObject({ user: { name: 'Ada' } })
})

describe('the middleware', () => {
  it('answers the endpoints at /api/auth', async () => {
    const response = await visit(auth, eventOf('/api/auth/csrf'))
    expect(await response.json()).toHaveProperty('csrfToken')
  })

  it('lets middleware of the application know who is signed in', async () => {
    const onRequest = async () => Response.json((await auth.getSession())?.user)
    const response = await visit(auth, eventOf('/', await ada()), { own: { onRequest } })
    expect(await response.json()).toMatchObject({ name: 'Ada' })
  })

  it('takes redirects that middleware of the application throws', async () => {
    const onRequest = [async () => void (await auth.requireSession())]
    const event = eventOf('/members', { headers: { accept: 'text/html' } })
    const response = await visit(auth, event, { own: { onRequest } })
    expect(response.headers.get('location')).toBe('/api/auth/signin?callbackUrl=%2Fmembers')
  })

  it('lets the application replace an answer', async () => {
    const onBeforeResponse = () => new Response('another')
    const response = await visit(auth, eventOf('/'), { own: { onBeforeResponse } })
    expect(await response.text()).toBe('another')
  })

  it('says what to do where it is missing', async () => {
    await expect(runIn(eventOf('/'), auth.getSession)).rejects.toThrow('src/middleware.ts')
  })
})

it('says what to do where there is no request', async () => {
  await expect(auth.getSession()).rejects.toThrow('"use server"')
})

describe('a server function that a page calls', () => {
  const call = (path = '/_server') =>
    eventOf(path, {
      headers: {
        'x-server-id': '1',
        'sec-fetch-site': 'same-origin',
        referer: 'http://localhost/page?x=1',
      },
    })

  it('sends strangers to sign in by a whole URL, and back to the page', async () => {
    const thrown = await visit(auth, call(), { page: () => auth.requireSession().catch(x => x) })
    const back = encodeURIComponent('http://localhost/page?x=1')
    expect(thrown.headers.get('location')).toBe(
      `http://localhost/api/auth/signin?callbackUrl=${back}`,
    )
  })

  it('rejects with an error where somebody may not, which says nothing of the server', async () => {
    const event = call()
    event.request.headers.set('cookie', (await headersOf('Ada')).cookie)
    const inspect = ({ message, stack }: Error) => `${message}, ${stack}`
    const response = await visit(auth, event, {
      page: () => auth.requireSession({ allow: () => false }).catch(inspect),
    })
    expect([response.status, await response.text()]).toEqual([403, 'Forbidden, undefined'])
  })
})

describe('as @auth/solid-start has it', () => {
  const { GET, POST } = SolidAuth({ ...config, prefix: '/old' })

  it('SolidAuth makes a route', async () => {
    expect(await (await GET(eventOf('/old/csrf'))).json()).toHaveProperty('csrfToken')
    expect((await POST(eventOf('/old/signout', { method: 'POST' }))).status).toBe(302)
  })

  it('getSession takes a request and the configuration', async () => {
    const { request } = eventOf('/', await ada())
    expect(await getSession(request, config)).toMatchObject({ user: { name: 'Ada' } })
    expect(await getSession(new Request('http://localhost'), config)).toBeNull()
  })
})

it('what the session callback returns is what functions get', () => {
  const typed = SiteAuth({ ...config, callbacks: { session: () => ({ role: 'admin' as const }) } })
  expectTypeOf(typed.requireSession).returns.resolves.toEqualTypeOf<{ role: 'admin' }>()
  expectTypeOf(typed.update).parameters.toEqualTypeOf<[changes: unknown]>()
  expectTypeOf(typed.update).returns.resolves.toEqualTypeOf<{ role: 'admin' } | null>()
})
