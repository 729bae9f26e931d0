import { type RouteArgs, SiteAuth } from '@siteauth/react-router'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'

// React Router matches routes by the decoded path, and tells which one it is: args.url does not.

const PAGE = { accept: 'text/html' }
const allow = ({ user }: { user?: { name?: string | null } }) => user?.name === 'Ada'

/** What React Router makes of a request that a route matches, with `v8_passThroughRequests`. */
function argsOf(path: string, pattern: string | undefined, init?: RequestInit): RouteArgs {
  const request = new Request(`http://localhost${path}`, init)
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/\.data$/, '')
  return { request, url, pattern, context: {} }
}

/** Who is denied: a visitor, and a user whom `allow` rejects. */
async function denied(): Promise<readonly Record<string, string>[]> {
  return [{}, await headersOf('Ben')]
}

const TARGETS = [
  ['//login', '*'],
  ['//login.data', '*'],
  ['/.//login', '*'],
  ['/item/%2e%2e.data', 'item/:id'],
  ['/admin/x/%2e%2e/%2e%2e.data', 'admin/*'],
  ['/', 'admin/*'],
  ['/login', 'login'],
  ['/login.data', 'login'],
] as const

describe.each(['/', '/login', undefined])('with the sign-in page %s', signIn => {
  const auth = SiteAuth({ ...config, ...(signIn && { pages: { signIn } }) })

  it.each(TARGETS)(
    'a loader that calls the guard lets nobody pass at %s',
    async (path, pattern) => {
      expectTypeOf(auth.requireSession).returns.resolves.not.toBeNullable()
      for (const who of await denied()) {
        for (const method of ['GET', 'HEAD', 'POST']) {
          const args = argsOf(path, pattern, { method, headers: { ...PAGE, ...who } })
          const answered = auth.middleware(args, async () => {
            const { user } = await auth.requireSession(args, { allow })
            return new Response(user?.name)
          })
          const { status } = (await answered.catch(thrown => thrown)) as Response
          expect([302, 403, 508]).toContain(status)
        }
      }
    },
  )
})

describe('a guard in front', () => {
  const auth = SiteAuth({ ...config, pages: { signIn: '/' } })
  const guard = auth.requireSession({ except: ['/', 'login', 'POST login'], allow })

  async function answerTo(args: RouteArgs): Promise<Response> {
    const page = async () => new Response('page')
    const answered = auth.middleware(args, () => guard(args, page))
    return (await answered.catch(thrown => thrown)) as Response
  }

  it.each([
    ['GET', '/', '/'],
    ['HEAD', '/_root.data', '/'],
    ['GET', '/login', 'login'],
    ['GET', '/LOGIN', 'login'],
    ['GET', '/login.data', 'login'],
    ['POST', '/login', 'login'],
  ])('exempts %s %s', async (method, path, pattern) => {
    expect((await answerTo(argsOf(path, pattern, { method, headers: PAGE }))).status).toBe(200)
  })

  it.each<readonly [method: string, path: string, pattern: string | undefined]>([
    ...TARGETS.slice(0, 6).map(([path, pattern]) => ['GET', path, pattern] as const),
    ['PUT', '/login', 'login'],
    ['POST', '/', '/'],
    ['GET', '/login', 'login/*'],
    ['GET', '/login', '/login'],
    // A version that does not tell.
    ['GET', '/login', undefined],
  ])('does not exempt %s %s of the route %s', async (method, path, pattern) => {
    for (const who of await denied()) {
      const { status } = await answerTo(
        argsOf(path, pattern, { method, headers: { ...PAGE, ...who } }),
      )
      expect([302, 403]).toContain(status)
    }
  })
})

it('a server function is not exempt, whose name a header has', async () => {
  const auth = SiteAuth(config)
  const guard = auth.requireSession({ except: ['login', 'POST login'] })
  for (const method of ['GET', 'POST']) {
    const headers = { ...PAGE, 'rsc-action-id': 'deleteAll' }
    const args = argsOf('/login', 'login', { method, headers })
    const page = async () => new Response('page')
    const { status } = await auth.middleware(args, () => guard(args, page))
    expect(status).toBe(302)
  }
})

it.each(['evil:', 'evil,evil', 'evil/login?', 'evil\\login?'])(
  'a request for data gets 400 as well if its Host is %j',
  async host => {
    const auth = SiteAuth(config)
    const args = argsOf('/files/a.data', 'files/*', { headers: { host } })
    const response = await auth.middleware(args, async () => new Response('secret'))
    expect(response.status).toBe(400)
  },
)

it('headers do not make a sign-in page on another host one of this application', async () => {
  const auth = SiteAuth({
    ...config,
    trustHost: true,
    pages: { signIn: 'https://id.example/login' },
  })
  const headers = { ...PAGE, 'x-forwarded-host': 'id.example', 'x-forwarded-proto': 'https' }
  for (const pattern of ['login', '*']) {
    const args = argsOf('/login', pattern, { headers })
    const answered = auth.middleware(args, async () =>
      Response.json(await auth.requireSession(args)),
    )
    const { status } = (await answered.catch(thrown => thrown)) as Response
    expect([302, 508]).toContain(status)
    const inFront = await auth
      .middleware(args, () =>
        auth.requireSession({ except: [] })(args, async () => new Response('page')),
      )
      .catch(thrown => thrown)
    expect([302, 508]).toContain(inFront.status)
  }
})
