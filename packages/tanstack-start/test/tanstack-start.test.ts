import Credentials from '@siteauth/core/providers/credentials'
import { defineConfig, SiteAuth } from '@siteauth/tanstack-start'
import { signInAs } from '@siteauth/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { dispatched } from './dispatched.ts'

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
const auth = SiteAuth(config)

const ADA = { id: '1', name: 'Ada' }
const DAY = 86_400_000
const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)
/** As the script of a page sends it. */
const CALL = { 'x-tsr-serverFn': 'true', accept: 'application/json' }

function requestTo(path: string, init?: RequestInit): Request {
  return new Request(new URL(path, 'http://localhost'), init)
}

/** What the middleware makes of an answer, as TanStack Start runs it. */
async function answerTo(
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const result = await auth.middleware({
    request,
    ...dispatched(request),
    next: async () => ({ response: await answer() }),
  })
  return result instanceof Response ? result : result.response
}

/** The headers of somebody who signed in, lately or two days ago. */
async function headersOf({ due = false } = {}): Promise<{ cookie: string }> {
  const at = due ? { at: new Date(Date.now() - 2 * DAY) } : {}
  return (
    await signInAs(config, ADA, { url: 'http://localhost', env: { NODE_ENV: 'test' }, ...at })
  ).headers
}

const page = () => new Response('page')

describe('the middleware', () => {
  it.each<[string, () => Response]>([
    ['a page', page],
    ['a response whose headers cannot be changed', () => Response.redirect('http://localhost/x')],
    ['one with cookies of its own', () => new Response('', { headers: { 'set-cookie': 'own=1' } })],
    [
      'one that was meant for all caches',
      () => new Response('', { headers: { 'cache-control': 'public' } }),
    ],
  ])('puts a renewed session on %s', async (_, answer) => {
    const request = requestTo('/', { headers: await headersOf({ due: true }) })
    const response = await answerTo(request, async () => {
      await auth.getSession(request)
      return answer()
    })
    const own = answer().headers.getSetCookie()
    expect(response.headers.getSetCookie()).toEqual([...own, SESSION])
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('changes a response in place, by which TanStack Start knows its redirects', async () => {
    const request = requestTo('/', { headers: await headersOf({ due: true }) })
    const own = page()
    const response = await answerTo(request, async () => {
      await auth.getSession(request)
      return own
    })
    expect(response).toBe(own)
  })

  it('renews nothing once the answer has begun', async () => {
    const request = requestTo('/', { headers: await headersOf({ due: true }) })
    const response = await answerTo(request, page)
    expect(await auth.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('answers the endpoints', async () => {
    const response = await answerTo(requestTo('/auth/csrf'), page)
    expect(await response.json()).toHaveProperty('csrfToken')
  })

  it('says what to do where it is missing', async () => {
    await expect(auth.getSession(requestTo('/'))).rejects.toThrow(
      'createMiddleware().server(auth.middleware)',
    )
  })
})

describe('a guard', () => {
  it('does not run what it guards', async () => {
    let runs = 0
    const request = requestTo('/private')
    const guard = auth.requireSession({ except: [] })
    const response = await answerTo(request, async () => {
      const next = () => {
        runs++
        return { response: page() }
      }
      const result = await guard({ request, ...dispatched(request), next })
      return result instanceof Response ? result : result.response
    })
    expect([response.status, runs]).toEqual([401, 0])
  })

  it.each(['GET', 'POST'])('has a %s call of a function lead to its page', async method => {
    const headers = { ...CALL, referer: 'http://localhost/page', origin: 'http://localhost' }
    const request = requestTo('/_serverFn/x', { method, headers })
    const thrown = await answerTo(request, async () =>
      Response.json(await auth.requireSession(request)),
    ).catch(error => error)
    const to = '/auth/signin?callbackUrl=http%3A%2F%2Flocalhost%2Fpage'
    expect(thrown.headers.get('location')).toBe(to)
    expect(thrown).toMatchObject({ options: { href: to, reloadDocument: true } })
  })

  it('rejects a call of a function by somebody who may not', async () => {
    const request = requestTo('/_serverFn/x', { headers: { ...CALL, ...(await headersOf()) } })
    const call = answerTo(request, async () =>
      Response.json(await auth.requireSession(request, { allow: () => false })),
    )
    await expect(call).rejects.toThrow(new Error('Forbidden'))
  })
})

it('a sign-in is seen by the rest of its request', async () => {
  const request = requestTo('/login', { method: 'POST' })
  let seen: unknown
  const response = await answerTo(request, async () => {
    const answer = await auth.signIn(request, 'credentials', { name: 'Ada', redirectTo: '/x' })
    seen = await auth.getSession(request)
    return answer
  })
  expect(seen).toMatchObject({ user: { name: 'Ada' } })
  expect(response.headers.getSetCookie()).toContainEqual(SESSION)
})

it('what the session callback returns is what handlers get', () => {
  const typed = SiteAuth({ ...config, callbacks: { session: () => ({ role: 'admin' as const }) } })
  expectTypeOf(typed.requireSession).returns.resolves.toEqualTypeOf<{ role: 'admin' }>()
})
