import { SiteAuth } from '@siteauth/tanstack-start'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { dispatched } from './dispatched.ts'

// TanStack Start decodes the path, and tells middleware which one its router matches and whether a function answers.

const auth = SiteAuth({ ...config, pages: { signIn: '/login' } })
const PAGE = { accept: 'text/html' }
const allow = ({ user }: { user?: { name?: string | null } }) => user?.name === 'Ada'

type Told = ReturnType<typeof dispatched> | Record<string, never>

/** What comes back from an application with a guard in front. */
async function answerTo(
  path: string,
  { told, ...init }: RequestInit & { readonly told?: Told } = {},
  except: readonly string[] = ['/login', 'POST /login', '/_serverFn/abc'],
): Promise<Response> {
  const request = new Request(new URL(path, 'http://localhost'), init)
  const args = { request, ...(told ?? dispatched(request)) }
  const page = async () => ({ response: new Response('page') })
  const guard = auth.requireSession({ except, allow })
  const result = await auth.middleware({
    ...args,
    async next() {
      const result = await guard({ ...args, next: page })
      return result instanceof Response ? { response: result } : result
    },
  })
  return result instanceof Response ? result : result.response
}

/** Who is denied: a visitor, and a user whom `allow` rejects. */
async function denied(): Promise<readonly Record<string, string>[]> {
  return [{}, await headersOf('Ben')]
}

describe('a guard in front', () => {
  it.each([
    ['GET', '/login'],
    ['HEAD', '/login?callbackUrl=%2F'],
    ['POST', '/login'],
    // The router matches the same path for these.
    ['GET', '/x/../login'],
    ['GET', '/%6cogin'],
  ])('exempts %s %s', async (method, path) => {
    expect((await answerTo(path, { method, headers: PAGE })).status).toBe(200)
  })

  it.each([
    ['GET', '/LOGIN'],
    ['GET', '/login/'],
    ['GET', '/%256cogin'],
    ['PUT', '/login'],
    ['GET', '/_serverFn/abc'],
    ['POST', '/_serverFn/abc'],
    ['GET', '/login/../_serverFn/abc'],
    ['GET', '/%5fserverFn/abc'],
  ])('does not exempt %s %s', async (method, path) => {
    for (const who of await denied()) {
      const { status } = await answerTo(path, { method, headers: { ...PAGE, ...who } })
      expect([302, 303, 403]).toContain(status)
    }
  })

  it('exempts nothing if TanStack Start does not tell what it dispatches to', async () => {
    expect((await answerTo('/login', { headers: PAGE, told: {} })).status).toBe(302)
  })
})

describe('a function that calls the guard, rendered by a layout on the sign-in page', () => {
  it('gets no session for nobody', async () => {
    expectTypeOf(auth.requireSession).returns.resolves.not.toBeNullable()
    for (const who of await denied()) {
      for (const path of ['/login', '/login?callbackUrl=%2F', '/auth/../login', '/_serverFn/abc']) {
        const request = new Request(new URL(path, 'http://localhost'), {
          headers: { ...PAGE, ...who },
        })
        const answered = auth.middleware({
          request,
          ...dispatched(request),
          next: async () => {
            const { user } = await auth.requireSession(request, { allow })
            return { response: new Response(`${user?.name}`) }
          },
        })
        const thrown = await answered.catch(thrown => thrown)
        const isDenied = thrown instanceof Error || [302, 403, 508].includes(thrown.status)
        expect(isDenied).toBe(true)
      }
    }
  })
})

it.each(['evil\\login?', 'evil/login#', 'evil evil', ''])(
  'a request with the Host "%s" gets 400',
  async host => {
    for (const path of ['/', '/login', '/_serverFn/abc', '/auth/session']) {
      expect((await answerTo(path, { headers: { ...PAGE, host } })).status).toBe(400)
    }
  },
)
