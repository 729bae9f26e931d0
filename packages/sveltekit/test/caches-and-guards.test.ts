import { SvelteKitAuth } from '@siteauth/sveltekit'
import { type Handle, type RequestEvent, redirect } from '@sveltejs/kit'
import { describe, expect, it, vi } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { type Visit, visit } from './kit/visit.ts'

const auth = SvelteKitAuth(config)

const cached = (body = 'page') =>
  new Response(body, { headers: { 'cache-control': 'public', 'cdn-cache-control': 'max-age=9' } })

describe('a session that is renewed for a request of the page to its own site', () => {
  it.each([
    ['an endpoint of ours', '/auth/session'],
    ['one of the application', '/api/me'],
  ])('is kept by no cache, from %s', async (_, path) => {
    const headers = await headersOf('Ada', { daysAgo: 2 })
    // As `fetch` of a load function does: SvelteKit passes the cookies on.
    const page = async ({ cookies }: RequestEvent) => {
      const reads = ({ locals }: RequestEvent) => locals.auth()
      const answer = await visit(auth.handle, path, reads, { headers, isSubRequest: true })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        cookies.set(pair.slice(0, at), pair.slice(at + 1), { path: '/', encode: value => value })
      }
      return cached()
    }
    const response = await visit(auth.handle, '/', page, { headers })
    expect(response.headers.getSetCookie()).toContainEqual(SESSION)
    expect(response.headers.get('cache-control')).toBe(NEVER)
    expect(response.headers.has('cdn-cache-control')).toBe(false)
  })
})

describe('a redirect from a hook of the application', () => {
  const redirecting: Handle = ({ event, resolve }) =>
    auth.handle({
      event,
      async resolve(resolved) {
        resolved.cookies.set('own', '1', { path: '/' })
        await resolved.locals.auth()
        if (resolved.url.pathname === '/old') redirect(303, '/new')
        return resolve(resolved)
      },
    })

  it('is kept by no cache where it carries a session', async () => {
    const headers = await headersOf('Ada', { daysAgo: 2 })
    const response = await visit(redirecting, '/old', () => cached(), { headers })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/new'])
    expect(response.headers.getSetCookie()).toEqual(['own=1', SESSION])
    expect(response.headers.get('cache-control')).toBe(NEVER)
  })

  it.each([0, 2])(
    'loses no cookie of a request that the hook made before, %i days on',
    async daysAgo => {
      const asking: Handle = ({ event, resolve }) =>
        auth.handle({
          event,
          async resolve(resolved) {
            await resolved.fetch('/inner')
            await resolved.fetch('https://other.example/')
            await auth.requireSession(resolved)
            return resolve(resolved)
          },
        })
      const thrown: Handle = ({ event }) => asking({ event, resolve: () => redirect(303, '/new') })
      const headers = await headersOf('Ada', { daysAgo })
      const fetch = async (input: string | URL | Request) => {
        if (`${input}` !== '/inner') return new Response('')
        const inner = await visit(
          auth.handle,
          '/inner',
          async ({ locals, cookies }) => {
            cookies.set('cart', '1', { path: '/' })
            return Response.json(await locals.auth())
          },
          { headers, isSubRequest: true },
        )
        return inner
      }
      const response = await visit(thrown, '/old', () => cached(), { headers, fetch })
      expect(response.status).toBe(303)
      const names = response.headers.getSetCookie().map(line => line.split('=')[0])
      expect(names).toEqual(daysAgo > 0 ? ['cart', 'authjs.session-token'] : ['cart'])
      expect(response.headers.get('cache-control')).toMatch(/private/)
    },
  )

  it('is left to SvelteKit where its script asks, and where nothing was changed', async () => {
    const thrownTo = (given: Visit) => {
      const thrown = vi.fn()
      const watched: Handle = async input => {
        try {
          return await redirecting(input)
        } catch (error) {
          thrown(error)
          throw error
        }
      }
      return visit(watched, '/old', () => cached(), given).then(() => thrown.mock.calls.length)
    }
    const headers = await headersOf('Ada', { daysAgo: 2 })
    expect(await thrownTo({ headers, isDataRequest: true })).toBe(1)
    expect(await thrownTo({})).toBe(1)
  })
})

it('a guard in a hook that refuses somebody renews their session', async () => {
  const refusing: Handle = ({ event }) =>
    auth.handle({
      event,
      async resolve(resolved) {
        await auth.requireSession(resolved, { allow: () => false })
        return cached()
      },
    })
  const headers = { ...(await headersOf('Ada', { daysAgo: 2 })), accept: 'application/json' }
  const response = await visit(refusing, '/', () => cached(), { headers })
  expect(response.status).toBe(403)
  expect(response.headers.getSetCookie()).toEqual([SESSION])
  expect(response.headers.get('cache-control')).toBe(NEVER)
})

describe('a guard', () => {
  const guardingHook: Handle = ({ event, resolve }) =>
    auth.handle({
      event,
      async resolve(resolved) {
        await auth.requireSession(resolved)
        return resolve(resolved)
      },
    })

  it.each([
    ['GET', { accept: 'application/json' }, {}],
    ['GET', { accept: 'text/html' }, {}],
    ['HEAD', { accept: 'text/html' }, {}],
    ['OPTIONS', {}, {}],
    ['GET', { 'x-sveltekit-action': 'true' }, {}],
    ['POST', { 'x-sveltekit-action': 'true', referer: 'https://evil.example/' }, {}],
    ['GET', {}, { isDataRequest: true }],
    ['GET', {}, { isSubRequest: true }],
    ['POST', { 'x-http-method-override': 'GET' }, {}],
  ])('is not passed by %s %o %o', async (method, headers, given) => {
    let runs = 0
    const page = () => {
      runs++
      return cached('secret')
    }
    const response = await visit(guardingHook, '/account', page, { method, headers, ...given })
    expect(runs).toBe(0)
    expect(response.status).toBeGreaterThanOrEqual(302)
    expect(response.headers.get('location') ?? '').not.toContain('evil.example')
  })

  it('that refuses in a load function has its answer kept by no cache', async () => {
    const page = async (event: RequestEvent) => {
      try {
        return await auth.requireSession(event, { allow: () => false })
      } catch {
        return cached('An error page')
      }
    }
    const response = await visit(auth.handle, '/', page, { headers: await headersOf('Ada') })
    expect(response.headers.get('cache-control')).toBe(NEVER)
    expect(response.headers.has('cdn-cache-control')).toBe(false)
  })
})

it('concurrent visitors each see themselves', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Visitor ${index}`)
  const page = async ({ locals }: RequestEvent) =>
    new Response(`${(await locals.auth())?.user?.name}`)
  const seen = names.map(async name => {
    const headers = await headersOf(name, { daysAgo: 2 })
    return (await visit(auth.handle, '/', page, { headers })).text()
  })
  expect(await Promise.all(seen)).toEqual(names)
})

it.each([
  ['signIn', (event: RequestEvent) => auth.signIn(event, 'credentials', { name: 'Eve' })],
  ['signIn of a form', (event: RequestEvent) => auth.signIn(event)],
  ['signOut', (event: RequestEvent) => auth.signOut(event, {})],
  ['update', (event: RequestEvent) => auth.update(event, { name: 'Eve' })],
])('%s is refused for forms of other sites', async (_, action) => {
  const headersOfAda = await headersOf('Ada')
  for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    const body = new URLSearchParams({ providerId: 'credentials', name: 'Eve' })
    const sent = { method: 'POST', headers: { ...headersOfAda, ...foreign }, body }
    await expect(visit(auth.handle, '/', action, sent)).rejects.toThrow(/another|sent by|hides/)
  }
})
