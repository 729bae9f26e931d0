import { SiteAuth } from '@siteauth/astro'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'
import { contextOf, visit } from './visit.ts'

const auth = SiteAuth(config)

describe('the middleware', () => {
  it.each<[string, () => Response]>([
    ['a page', () => new Response('page')],
    ['a response whose headers cannot be changed', () => Response.redirect('http://localhost/x')],
    ['one with cookies of its own', () => new Response('', { headers: { 'set-cookie': 'own=1' } })],
  ])('puts a renewed session on %s', async (_, answer) => {
    const context = contextOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const response = await visit(auth, context, async ({ locals }) => {
      await locals.auth()
      return answer()
    })
    const own = answer().headers.getSetCookie()
    expect(response.headers.getSetCookie()).toEqual([...own, SESSION])
    expect(response.headers.get('cache-control')).toBe(NEVER)
  })

  it('waits for a component that began to read the session', async () => {
    const context = contextOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    let reading: Promise<unknown> = Promise.resolve()
    const response = await visit(auth, context, ({ locals }) => {
      reading = locals.auth()
      return new Response('page')
    })
    expect(response.headers.getSetCookie()).toEqual([SESSION])
    expect(await reading).toMatchObject({ user: { name: 'Ada' } })
  })

  it('renews nothing once the answer has begun', async () => {
    const context = contextOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    const response = await visit(auth, context)
    expect(await auth.getSession(context)).toMatchObject({ user: { name: 'Ada' } })
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('keeps cookies where the application fails, and logs why', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const context = contextOf('/', { headers: await headersOf('Ada') })
    const error = new Error('of the application')
    const response = await visit(auth, context, async () => {
      await auth.signOut(context)
      throw error
    })
    expect([response.status, response.body]).toEqual([500, null])
    expect(response.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^authjs\.session-token=;/),
    )
    expect(logged.mock.calls).toEqual([[error]])
  })

  it('leaves an error to Astro where there is no cookie to lose', async () => {
    const error = new Error('of the application')
    const failing = visit(auth, contextOf('/'), async ({ locals }) => {
      await locals.auth()
      throw error
    })
    await expect(failing).rejects.toBe(error)
  })

  it('says what to do where it is missing', async () => {
    await expect(auth.getSession(contextOf('/'))).rejects.toThrow('sequence(auth.onRequest, yours)')
  })
})

describe('the route of the endpoints', () => {
  it.each(['/auth/csrf', '/auth/csrf/'])('answers %s', async path => {
    const response = await auth.endpoint(contextOf(path, { routePattern: '/auth/[...siteauth]' }))
    expect(await response.json()).toHaveProperty('csrfToken')
  })

  it('answers 404 to what is no endpoint', async () => {
    const context = contextOf('/auth/else', { routePattern: '/auth/[...siteauth]' })
    expect((await auth.endpoint(context)).status).toBe(404)
  })

  it('says that it is at the wrong place', async () => {
    const context = contextOf('/api/auth/csrf', { routePattern: '/api/auth/[...siteauth]' })
    await expect(auth.endpoint(context)).rejects.toThrow('the endpoints are at "/auth"')
  })
})

describe('on a prerendered page', () => {
  const prerendered = () => contextOf('/once', { isPrerendered: true })

  it.each([
    ['requireSession', () => auth.requireSession(prerendered())],
    ['signIn', () => auth.signIn(prerendered())],
    ['signOut', () => auth.signOut(prerendered())],
    ['endpoint', () => auth.endpoint(prerendered())],
  ])('%s throws', async (_, call) => {
    await expect(call()).rejects.toThrow('/once is prerendered')
  })

  it('nobody is signed in, which is said once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const _ of [1, 2]) {
      const page = await visit(auth, prerendered(), async ({ locals }) =>
        Response.json(await locals.auth()),
      )
      expect(await page.json()).toBeNull()
    }
    expect(warn.mock.calls).toEqual([[expect.stringContaining('prerender = false')]])
  })
})

it('a guard in a component that comes too late throws', async () => {
  const context = contextOf('/')
  await visit(auth, context)
  await expect(auth.requireSession(context)).rejects.toThrow('not in a component')
})

it('a server island is refused as a program is: its script would show the sign-in page', async () => {
  const routePattern = '/_server-islands/[name]'
  const context = contextOf('/_server-islands/A', {
    routePattern,
    headers: { accept: 'text/html' },
  })
  const response = await visit(auth, context, async () => {
    const session = await auth.requireSession(context)
    return session instanceof Response ? session : new Response('secret')
  })
  expect(response.status).toBe(401)
})

it('what the session callback returns is what pages get', () => {
  const typed = SiteAuth({ ...config, callbacks: { session: () => ({ role: 'admin' as const }) } })
  expectTypeOf(typed.requireSession).returns.resolves.toEqualTypeOf<{ role: 'admin' } | Response>()
})
