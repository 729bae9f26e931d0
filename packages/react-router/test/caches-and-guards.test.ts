import { type RouteArgs, SiteAuth } from '@siteauth/react-router'
import { describe, expect, it } from 'vitest'
import { config, headersOf, NEVER } from '../../testing/test/hostile-site.ts'

const auth = SiteAuth(config)

/** What React Router makes of a request, with `v8_passThroughRequests`. */
function argsOf(path: string, init?: RequestInit): RouteArgs {
  const request = new Request(`http://localhost${path}`, init)
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/\.data$/, '')
  return { request, url, context: {} }
}

describe('a guard', () => {
  it.each([
    ['GET', '/account', {}],
    ['GET', '/account.data', {}],
    ['GET', '/account.data?_routes=routes%2Faccount', {}],
    ['HEAD', '/account', { accept: 'text/html' }],
    ['OPTIONS', '/account', {}],
    ['POST', '/account', { 'x-http-method-override': 'GET' }],
    ['POST', '/account.data', { referer: 'https://evil.example/' }],
    ['GET', '//evil.example/account', { accept: 'text/html' }],
  ])('is not passed by %s %s %o', async (method, path, headers) => {
    const args = argsOf(path, { method, headers })
    let runs = 0
    const answer = await auth.middleware(args, () =>
      auth.requireSession({ except: [] })(args, async () => {
        runs++
        return new Response('secret')
      }),
    )
    expect(runs).toBe(0)
    expect([302, 401]).toContain(answer.status)
    const location = new URL(answer.headers.get('location') ?? '/', 'http://localhost')
    const back = new URL(location.searchParams.get('callbackUrl') ?? '/', 'http://localhost')
    expect([location.host, back.host]).toEqual(['localhost', 'localhost'])
  })

  it('in a loader has the error page of the application kept by no cache', async () => {
    const args = argsOf('/account', { headers: await headersOf('Ada') })
    const answer = await auth.middleware(args, async () => {
      try {
        await auth.requireSession(args, { allow: () => false })
      } catch {
        // As React Router does: the boundary's own headers count, not those of what was thrown.
      }
      return new Response('An error page', {
        status: 403,
        headers: { 'cache-control': 'public, max-age=60' },
      })
    })
    expect(answer.headers.get('cache-control')).toBe(NEVER)
  })
})

it('a link to an endpoint never leads to another site', async () => {
  const rooted = SiteAuth({ ...config, basePath: '/' })
  const args = argsOf('//signin/google.data')
  const answer = await rooted.middleware(args, async () => new Response('page'))
  const location = answer.headers.get('location') ?? '/'
  expect(new URL(location, 'http://localhost').host).toBe('localhost')
})

it('two requests with one context are not taken for one visitor', async () => {
  const first = argsOf('/', { headers: await headersOf('Ada') })
  await auth.middleware(first, async () => Response.json(await auth.getSession(first)))
  const second = { ...argsOf('/'), context: first.context }
  await expect(
    auth.middleware(second, async () => Response.json(await auth.getSession(second))),
  ).rejects.toThrow('same context')
})

it('a response that the application has for everybody stays without cookies', async () => {
  const forAll = new Response(null, { status: 204 })
  const args = argsOf('/', { headers: await headersOf('Ada', { daysAgo: 2 }) })
  const answer = await auth.middleware(args, async () => {
    await auth.getSession(args)
    return forAll
  })
  expect(answer.headers.getSetCookie()).toHaveLength(1)
  expect(forAll.headers.getSetCookie()).toEqual([])
})

it.each([
  ['signIn', (args: RouteArgs) => auth.signIn(args, 'credentials', { name: 'Eve' })],
  ['signOut', (args: RouteArgs) => auth.signOut(args)],
  ['update', (args: RouteArgs) => auth.update(args, { name: 'Eve' })],
])('%s is refused for forms of other sites', async (_, action) => {
  for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    for (const path of ['/', '/index.data']) {
      const headers = { ...(await headersOf('Ada')), ...foreign }
      const args = argsOf(path, { method: 'POST', headers })
      const answered = auth.middleware(args, async () => Response.json(await action(args)))
      await expect(answered).rejects.toThrow(/sent by|hides/)
    }
  }
})
