import Credentials from '@siteauth/core/providers/credentials'
import {
  defineConfig,
  type RouteArgs,
  type RouteMiddleware,
  SiteAuth,
} from '@siteauth/react-router'
import { signInAs } from '@siteauth/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'

const config = defineConfig({
  secret: 'a test secret that is long enough!',
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: '1', name: `${name}` }),
    }),
  ],
})

const ADA = { id: '1', name: 'Ada' }
const DAY = 86_400_000
const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)

/** What React Router makes of a request, with `v8_passThroughRequests`. */
function argsOf(path: string, init?: RequestInit): RouteArgs {
  const request = new Request(new URL(path, 'http://localhost'), init)
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/\.data$/, '')
  url.searchParams.delete('_routes')
  return { request, url, context: {} }
}

/** Runs middleware as React Router does: each may let the next one answer. */
function run(
  middleware: readonly RouteMiddleware[],
  args: RouteArgs,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const [first, ...rest] = middleware
  return first ? first(args, () => run(rest, args, answer)) : Promise.resolve(answer())
}

/** The headers of somebody who signed in, lately or two days ago. */
async function headersOf({ due = false } = {}): Promise<{ cookie: string }> {
  const at = due ? { at: new Date(Date.now() - 2 * DAY) } : {}
  return (
    await signInAs(config, ADA, { url: 'http://localhost', env: { NODE_ENV: 'test' }, ...at })
  ).headers
}

const page = () => new Response('page')
const data = () => new Response('data', { headers: { 'x-remix-response': 'yes' } })

describe('the middleware', () => {
  const auth = SiteAuth(config)

  it.each<[string, () => Response]>([
    ['a page', page],
    ['a response whose headers cannot be changed', () => Response.redirect('http://localhost/x')],
    ['one with cookies of its own', () => new Response('', { headers: { 'set-cookie': 'own=1' } })],
    [
      'one that was meant for all caches',
      () => new Response('', { headers: { 'cache-control': 'public' } }),
    ],
  ])('puts a renewed session on %s', async (_, answer) => {
    const args = argsOf('/', { headers: await headersOf({ due: true }) })
    const response = await run([auth.middleware], args, async () => {
      await auth.getSession(args)
      return answer()
    })
    const own = answer().headers.getSetCookie()
    expect(response.headers.getSetCookie()).toEqual([...own, SESSION])
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('leaves alone what does not ask for a session', async () => {
    const answer = page()
    const args = argsOf('/', { headers: await headersOf({ due: true }) })
    expect(await run([auth.middleware], args, () => answer)).toBe(answer)
  })

  it('renews nothing once the answer has begun', async () => {
    const args = argsOf('/', { headers: await headersOf({ due: true }) })
    const response = await run([auth.middleware], args, page)
    expect(await auth.getSession(args)).toMatchObject({ user: { name: 'Ada' } })
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('answers the endpoints, even before guards that are behind it', async () => {
    const middleware = [auth.middleware, auth.requireSession({ except: [] })]
    const response = await run(middleware, argsOf('/auth/csrf'), page)
    expect(await response.json()).toHaveProperty('csrfToken')
  })

  it('leaves links to its pages to the browser', async () => {
    const { status, headers } = await run(
      [auth.middleware],
      argsOf('/auth/signin.data?callbackUrl=%2Fx&_routes=root'),
      page,
    )
    expect([status, headers.get('location')]).toEqual([303, '/auth/signin?callbackUrl=%2Fx'])
    expect(headers.get('x-remix-reload-document')).toBe('true')
  })

  it('does not take one visitor for another where they share a context', async () => {
    const first = argsOf('/', { headers: await headersOf() })
    await run([auth.middleware], first, page)
    const second = { ...argsOf('/'), context: first.context }
    await expect(run([auth.middleware], second, page)).rejects.toThrow(
      'Return a new RouterContextProvider from getLoadContext',
    )
  })

  it('says what to do where it is missing', async () => {
    await expect(auth.getSession(argsOf('/'))).rejects.toThrow(
      'export const middleware = [auth.middleware]',
    )
  })

  it('says what to do where it cannot see which requests the script makes', async () => {
    await expect(run([auth.middleware], argsOf('/'), data)).rejects.toThrow(
      'v8_passThroughRequests: true',
    )
  })
})

describe('a guard', () => {
  const auth = SiteAuth(config)
  const middleware = [auth.middleware, auth.requireSession({ except: [] })]

  it('does not run what it guards', async () => {
    let runs = 0
    const response = await run(middleware, argsOf('/private'), () => {
      runs++
      return page()
    })
    expect([response.status, runs]).toEqual([401, 0])
  })

  it.each([
    ['all of a page', '/private.data?tab=2'],
    ['a single route of it', '/private.data?tab=2&_routes=routes%2Fprivate'],
  ])('sends people to sign in where the script asks for %s', async (_, path) => {
    const { status, headers } = await run(middleware, argsOf(path, { headers: ANYTHING }), data)
    const to = '/auth/signin?callbackUrl=%2Fprivate%3Ftab%3D2'
    expect([status, headers.get('location')]).toEqual([302, to])
    expect(headers.get('x-remix-reload-document')).toBe('true')
  })

  it('has the ErrorBoundary say that somebody may not, where the script asks', async () => {
    const nobody = [auth.middleware, auth.requireSession({ except: [], allow: () => false })]
    const headers = { ...ANYTHING, ...(await headersOf()) }
    await expect(run(nobody, argsOf('/private.data', { headers }), data)).rejects.toMatchObject({
      status: 403,
    })
  })

  it('lets those pass who are signed in, and keeps shared caches out', async () => {
    const args = argsOf('/private', { headers: await headersOf() })
    const response = await run(middleware, args, page)
    expect(await response.text()).toBe('page')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })
})

describe('requireSession', () => {
  const auth = SiteAuth(config)

  it('resolves with the session of whoever is signed in', async () => {
    const args = argsOf('/', { headers: await headersOf() })
    const response = await run([auth.middleware], args, async () =>
      Response.json(await auth.requireSession(args)),
    )
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } })
  })

  it('throws the response for everybody else', async () => {
    const args = argsOf('/', { headers: { accept: 'text/html' } })
    const answer = () => auth.requireSession(args).then(page)
    await expect(run([auth.middleware], args, answer)).rejects.toMatchObject({ status: 302 })
  })
})

it('a sign-in from an action reaches the browser, and is seen by the rest of its request', async () => {
  const auth = SiteAuth(config)
  const args = argsOf('/login.data', { method: 'POST' })
  let seen: unknown
  const response = await run([auth.middleware], args, async () => {
    const answer = await auth.signIn(args, 'credentials', { name: 'Ada', redirectTo: '/private' })
    seen = await auth.getSession(args)
    return answer
  })
  expect(seen).toMatchObject({ user: { name: 'Ada' } })
  expect(response.headers.get('location')).toBe('http://localhost/private')
  expect(response.headers.getSetCookie()).toContainEqual(SESSION)
})

it('what the session callback returns is what loaders get', () => {
  const auth = SiteAuth({ ...config, callbacks: { session: () => ({ role: 'admin' as const }) } })
  expectTypeOf(auth.requireSession).returns.resolves.toEqualTypeOf<{ role: 'admin' }>()
})

/** As the script asks. */
const ANYTHING = { accept: '*/*' }
