import { SiteAuth } from '@siteauth/solid-start'
import { describe, expect, it } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { eventOf, visit } from './visit.ts'

const auth = SiteAuth(config)

it('a response that the application has for everybody carries no cookies to the next', async () => {
  const forAll = new Response(null, { status: 302, headers: { location: '/' } })
  const own = {
    onRequest: async () => {
      await auth.getSession()
      return forAll
    },
  }
  const headers = await headersOf('Ada', { daysAgo: 2 })
  const answer = await visit(auth, eventOf('/', { headers }), { own })
  expect(answer.headers.getSetCookie()).toEqual([SESSION])
  const next = await visit(auth, eventOf('/'), { own })
  expect(next.headers.getSetCookie()).toEqual([])
  expect(forAll.headers.getSetCookie()).toEqual([])
})

describe('caches', () => {
  it('keep no page with a renewed session, whatever page and middleware say', async () => {
    const event = eventOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const response = await visit(auth, event, {
      page: async () => {
        await auth.getSession()
        event.response.headers.set('cdn-cache-control', 'max-age=9')
        return 'page'
      },
      own: { onBeforeResponse: () => event.response.headers.set('cache-control', 'public') },
    })
    expect(response.headers.get('cache-control')).toBe(NEVER)
    expect(response.headers.has('cdn-cache-control')).toBe(false)
  })

  it('that people share keep no page behind a guard', async () => {
    const event = eventOf('/', { headers: await headersOf('Ada') })
    const response = await visit(auth, event, { page: async () => `${await auth.guard()}` })
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })
})

describe('a guard', () => {
  it.each([
    ['GET', '/account', {}],
    ['HEAD', '/account', { accept: 'text/html' }],
    ['OPTIONS', '/account', {}],
    ['POST', '/account', { accept: 'text/html', referer: 'https://evil.example/' }],
    ['POST', '/_server', { 'x-server-id': '1', referer: 'https://evil.example/' }],
    ['POST', '/_server', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['GET', '/_server?id=1', { referer: 'http://localhost//evil.example' }],
    ['GET', '//evil.example/account', { accept: 'text/html' }],
    ['GET', '/account', { cookie: '__proto__=x; authjs.session-token=a.b.c.d.e' }],
  ])('is not passed by %s %s %o', async (method, path, headers) => {
    const event = eventOf(path, { method, headers })
    const answer = await visit(auth, event, { page: () => auth.guard() })
    expect([302, 401]).toContain(answer.status)
    expect(answer.headers.get('cache-control')).toBe(NEVER)
    const location = new URL(answer.headers.get('location') ?? '/', 'http://localhost')
    const back = new URL(location.searchParams.get('callbackUrl') ?? '/', 'http://localhost')
    expect([location.host, back.host]).toEqual(['localhost', 'localhost'])
  })

  it('is not passed by an answer of allow that only counts as true', async () => {
    const allow = (() => []) as unknown as () => boolean
    const event = eventOf('/', { headers: await headersOf('Ada') })
    expect((await visit(auth, event, { page: () => auth.guard({ allow }) })).status).toBe(403)
  })
})

it('a sign-out outlasts a renewal that began before it', async () => {
  const event = eventOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
  const page = async () => {
    const reading = auth.getSession()
    const answer = await auth.signOut()
    await reading
    return answer
  }
  const response = await visit(auth, event, { page })
  const last = response.headers
    .getSetCookie()
    .filter(line => line.startsWith('authjs.session-token='))
    .at(-1)
  expect(last).toMatch(/^authjs\.session-token=;/)
})

it('a sign-out is on the answer before the application can fail', async () => {
  const event = eventOf('/', { headers: await headersOf('Ada') })
  const page = async () => {
    await auth.signOut()
    throw new Error('of the application')
  }
  await expect(visit(auth, event, { page })).rejects.toThrow('of the application')
  expect(event.response.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^authjs\.session-token=;/),
  )
})

it('concurrent visitors each see themselves', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Visitor ${index}`)
  const seen = names.map(async name => {
    const event = eventOf('/', { headers: await headersOf(name, { daysAgo: 2 }) })
    const page = async () => `${(await auth.getSession())?.user?.name}`
    return (await visit(auth, event, { page })).text()
  })
  expect(await Promise.all(seen)).toEqual(names)
})

it.each([
  ['signIn', () => auth.signIn('credentials', { name: 'Eve' })],
  ['signOut', () => auth.signOut()],
  ['update', () => auth.update({ name: 'Eve' })],
])('%s is refused for forms and links of other sites', async (_, action) => {
  for (const foreign of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    // A link: SolidStart runs server functions for GET as well.
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const headers = { ...(await headersOf('Ada')), ...foreign }
    const event = eventOf('/_server?id=1&name=x', { headers })
    await expect(visit(auth, event, { page: action })).rejects.toThrow(/sent by|hides|led here/)
  }
})
