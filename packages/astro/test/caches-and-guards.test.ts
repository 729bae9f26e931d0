import { type AstroContext, SiteAuth } from '@siteauth/astro'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { cacheFor } from './page-cache.ts'
import { contextOf, visit } from './visit.ts'

afterEach(() => vi.restoreAllMocks())

const auth = SiteAuth(config)

const cached = (body = 'page') =>
  new Response(body, { headers: { 'cache-control': 'public', 'cdn-cache-control': 'max-age=9' } })

it('a response that the application has for everybody carries no cookies to the next', async () => {
  const forAll = new Response(null, { status: 302, headers: { location: '/' } })
  const headers = await headersOf('Ada', { daysAgo: 2 })
  const answer = await visit(auth, contextOf('/', { headers }), async ({ locals }) => {
    await locals.auth()
    return forAll
  })
  expect(answer.headers.getSetCookie()).toEqual([SESSION])
  const next = await visit(auth, contextOf('/'), () => forAll)
  expect(next.headers.getSetCookie()).toEqual([])
})

describe('caches', () => {
  it('keep no page with a renewed session, whatever the page says', async () => {
    const headers = await headersOf('Ada', { daysAgo: 2 })
    const response = await visit(auth, contextOf('/', { headers }), async ({ locals }) => {
      await locals.auth()
      return cached()
    })
    expect(response.headers.get('cache-control')).toBe(NEVER)
    expect(response.headers.has('cdn-cache-control')).toBe(false)
  })
})

describe("Astro's own cache, which gives everybody the same page,", () => {
  const KEPT = { maxAge: 60 }

  it.each([
    ['the session', (context: AstroContext) => auth.getSession(context)],
    ['a guard', (context: AstroContext) => auth.requireSession(context)],
    ['something else', (context: AstroContext) => auth.sessions.list(context).catch(() => [])],
  ])('keeps no page that asked for %s', async (_, ask) => {
    const cache = cacheFor({})
    const context = contextOf('/', { headers: await headersOf('Ada'), cache })
    await visit(auth, context, async () => {
      await ask(context)
      cache.set(KEPT)
      return new Response('mine')
    })
    // As a component might while the page is sent.
    cache.set(KEPT)
    expect(cache.options.maxAge).toBeUndefined()
  })

  it.each(['/auth/session', '/auth/csrf'])('keeps no answer of %s', async path => {
    for (const answer of [
      (context: ReturnType<typeof contextOf>) => visit(auth, context),
      (context: AstroContext) => auth.endpoint(context),
    ]) {
      const cache = cacheFor(KEPT)
      await answer(contextOf(path, { headers: await headersOf('Ada'), cache }))
      expect(cache.options.maxAge).toBeUndefined()
    }
  })

  it('keeps other pages', async () => {
    const cache = cacheFor(KEPT)
    await visit(auth, contextOf('/', { headers: await headersOf('Ada'), cache }))
    expect(cache.options.maxAge).toBe(60)
  })

  it('shows nobody on a page that it keeps already', async () => {
    const cache = cacheFor(KEPT)
    const context = contextOf('/', { headers: await headersOf('Ada'), cache })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    await visit(auth, context)
    expect(await auth.getSession(context)).toBeNull()
    expect(warn.mock.calls).toEqual([[expect.stringContaining('Read it on the page itself')]])
    expect(await auth.sessions.list(context)).toEqual([])
    // The error page goes out with the headers of the page that it is shown for.
    const { cache: _, ...errorPage } = { ...context, locals: {} as App.Locals }
    const shown = await visit(auth, errorPage, async ({ locals }) =>
      Response.json(await locals.auth()),
    )
    expect(await shown.json()).toBeNull()
  })
})

it('locals that are the same for all requests are refused', async () => {
  const locals = {} as App.Locals
  const who = async (name: string) => {
    const headers = await headersOf(name, { daysAgo: 2 })
    const context = { ...contextOf('/', { headers }), locals }
    return visit(auth, context, async () => Response.json(await auth.getSession(context)))
  }
  expect(await (await who('Ada')).json()).toMatchObject({ user: { name: 'Ada' } })
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect((await who('Bob')).status).toBe(500)
  expect(String(logged.mock.lastCall?.[0])).toContain('`locals`')
})

describe('a guard', () => {
  it.each([
    ['GET', '/account', {}],
    ['HEAD', '/account', { accept: 'text/html' }],
    ['OPTIONS', '/account', {}],
    ['POST', '/account', { accept: 'text/html', referer: 'https://evil.example/' }],
    ['POST', '/_actions/secret', { accept: 'application/json' }],
    ['GET', '//evil.example/account', { accept: 'text/html' }],
    ['GET', '/account', { cookie: '__proto__=x; authjs.session-token=a.b.c.d.e' }],
  ])('is not passed by %s %s %o', async (method, path, headers) => {
    const context = contextOf(path, { method, headers })
    const answer = await visit(auth, context, async () => {
      const session = await auth.requireSession(context)
      return session instanceof Response ? session : new Response('secret')
    })
    expect([302, 401]).toContain(answer.status)
    expect(answer.headers.get('cache-control')).toBe(NEVER)
    const location = new URL(answer.headers.get('location') ?? '/', 'http://localhost')
    const back = new URL(location.searchParams.get('callbackUrl') ?? '/', 'http://localhost')
    expect([location.host, back.host]).toEqual(['localhost', 'localhost'])
  })

  it('is not passed by an answer of allow that only counts as true', async () => {
    const allow = (() => []) as unknown as () => boolean
    const context = contextOf('/', { headers: await headersOf('Ada') })
    const answer = await visit(auth, context, async () => {
      const session = await auth.requireSession(context, { allow })
      return session instanceof Response ? session : new Response('secret')
    })
    expect(answer.status).toBe(403)
  })
})

it('a sign-out outlasts a renewal that began before it', async () => {
  const context = contextOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
  const response = await visit(auth, context, async ({ locals }) => {
    const reading = locals.auth()
    const answer = await auth.signOut(context)
    await reading
    return answer
  })
  const last = response.headers
    .getSetCookie()
    .filter(line => line.startsWith('authjs.session-token='))
    .at(-1)
  expect(last).toMatch(/^authjs\.session-token=;/)
})

it('concurrent visitors each see themselves', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Visitor ${index}`)
  const seen = names.map(async name => {
    const context = contextOf('/', { headers: await headersOf(name, { daysAgo: 2 }) })
    const page = await visit(
      auth,
      context,
      async ({ locals }) => new Response(`${(await locals.auth())?.user?.name}`),
    )
    return page.text()
  })
  expect(await Promise.all(seen)).toEqual(names)
})

it.each([
  ['signIn', (context: AstroContext) => auth.signIn(context, 'credentials', { name: 'Eve' })],
  ['signOut', (context: AstroContext) => auth.signOut(context)],
  ['update', (context: AstroContext) => auth.update(context, { name: 'Eve' })],
])('%s is refused for forms of other sites', async (_, action) => {
  for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    const headers = { ...(await headersOf('Ada')), ...foreign }
    const context = contextOf('/', { method: 'POST', headers })
    const answered = visit(auth, context, async () => Response.json(await action(context)))
    await expect(answered).rejects.toThrow(/sent by|hides/)
  }
})

it('locals that two requests share are refused while the first is under way', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const first = contextOf('/', { headers: await headersOf('Ada') })
  let answered: Promise<Response> | undefined
  await visit(auth, first, async ({ locals }) => {
    const session = await locals.auth()
    const second = { ...contextOf('/'), locals }
    answered = visit(auth, second, async each => Response.json(await each.locals.auth()))
    await answered
    return Response.json(session)
  })
  expect((await answered)?.status).toBe(500)
})
