import { type AstroContext, SiteAuth } from '@siteauth/astro'
import { describe, expect, it } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/attacked-site.ts'
import { contextOf, visit } from './visit.ts'

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

  it('of Astro itself keep no page behind a guard', async () => {
    const told: unknown[] = []
    const cache = { enabled: true, set: (wish: unknown) => told.push(wish) }
    const context = contextOf('/', { headers: await headersOf('Ada'), cache })
    await visit(auth, context, async () => {
      await auth.requireSession(context)
      return new Response('mine')
    })
    expect(told).toEqual([false])
  })
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
