import { SiteAuth } from '@siteauth/astro'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { contextOf, visit } from './visit.ts'

afterEach(() => vi.restoreAllMocks())

const auth = SiteAuth(config)
const front = auth.requireSession({ except: ['/login', 'POST /login'] })
const PAGE = { accept: 'text/html' }

interface Attack {
  readonly path: string
  readonly routePattern: string
  readonly method?: string
  readonly isPrerendered?: boolean
}

/** Sends a request, and says whether anything behind the guard ran. */
async function runs(isCalled: boolean, { path, ...given }: Attack, headers = {}): Promise<boolean> {
  const context = contextOf(path, { ...given, headers: { ...PAGE, ...headers } })
  let ran = false
  const page = async () => {
    const session = isCalled && (await auth.requireSession(context))
    if (session instanceof Response) return session
    ran = true
    return new Response('secret')
  }
  await visit(auth, context, () => (isCalled ? page() : front(context, page)))
  return ran
}

/** What Astro 6.4 routes requests to whose URL resembles the sign-in page. */
const ATTACKS: readonly Attack[] = [
  { path: '/%256cogin', routePattern: '/[...rest]' },
  { path: '/login%09', routePattern: '/[...rest]' },
  { path: '/LOGIN', routePattern: '/[...rest]' },
  { path: '/login', routePattern: '/404' },
  { path: '/_actions/secret', routePattern: '/_actions/[...path]', method: 'POST' },
  { path: '/_actions/..%2flogin', routePattern: '/_actions/[...path]', method: 'POST' },
  { path: '/login?_action=secret', routePattern: '/login', method: 'POST' },
  { path: '/login?%5faction=secret', routePattern: '/login', method: 'POST' },
  { path: '/login?_action=&_action=secret', routePattern: '/login', method: 'POST' },
  { path: '/_server-islands/Secret?e=1&p=2&s=', routePattern: '/_server-islands/[name]' },
  { path: '/login', routePattern: '/login', method: 'DELETE' },
]

describe.each([
  ['called', true],
  ['in front', false],
])('a guard that is %s', (_, isCalled) => {
  it.each(ATTACKS)('is not passed by %o', async attack => {
    expect(await runs(isCalled, attack)).toBe(false)
    expect(await runs(isCalled, attack, await headersOf('Ada'))).toBe(true)
  })

  it.each(['evil\\login?', 'evil/login#', ''])('answers 400 to the host %j', async host => {
    const context = contextOf('/login', { headers: { ...PAGE, host } })
    expect((await visit(auth, context)).status).toBe(400)
    expect(await runs(isCalled, { path: '/login', routePattern: '/login' }, { host })).toBe(false)
  })
})

it('a guard in front exempts the routes that `except` names', async () => {
  const routePattern = '/login'
  expect(await runs(false, { path: '/login?callbackUrl=%2F', routePattern })).toBe(true)
  expect(await runs(false, { path: '/%6cogin/', routePattern })).toBe(true)
  expect(await runs(false, { path: '/login', routePattern, method: 'POST' })).toBe(true)
})

describe('middleware that fails answers with 500, since Astro would go on without it:', () => {
  const page = vi.fn(async () => new Response('secret'))

  it.each<[string, () => Promise<Response>]>([
    [
      'a check of the application that throws',
      async () => {
        const allow = () => Promise.reject(new Error('The database is down.'))
        const guard = auth.requireSession({ except: [], allow })
        const context = contextOf('/admin', { headers: { ...PAGE, ...(await headersOf('Ada')) } })
        return visit(auth, context, () => guard(context, page))
      },
    ],
    ['a guard without auth.onRequest', async () => front(contextOf('/admin'), page)],
  ])('%s', async (_, answer) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await answer()
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      500,
      'private, no-cache, no-store',
    ])
    // Astro shows its page for errors in place of a response without a body.
    expect(await response.text()).not.toBe('')
    expect(logged).toHaveBeenCalledOnce()
    expect(page).not.toHaveBeenCalled()
  })
})

it('middleware of the application that fails twice for a request is answered with 500', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const context = contextOf('/admin', { headers: PAGE })
  const fail = () => Promise.reject(new Error('The header is malformed.'))
  await expect(auth.onRequest(context, fail)).rejects.toThrow('malformed')
  // Astro shows a route for any path in place of the error, and would skip all middleware if that failed again.
  const inItsPlace = { ...contextOf('/500'), request: context.request }
  expect((await auth.onRequest(inItsPlace, fail)).status).toBe(500)
  expect(logged).toHaveBeenCalledOnce()
})

it('a guard in front keeps nobody from prerendering pages', async () => {
  const attack = { path: '/about', routePattern: '/about', isPrerendered: true }
  expect(await runs(false, attack)).toBe(true)
})
