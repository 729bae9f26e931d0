import { AccessDenied } from '@siteauth/core/errors'
import Credentials from '@siteauth/core/providers/credentials'
import SiteAuth, { AuthError, type NextAuthConfig, type Session } from '@siteauth/next'
import { forbidden } from 'next/navigation.js'
import type { NextRequest } from 'next/server.js'
import { describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { signInAs } from '../../testing/src/index.ts'
import { type Place, runInNext } from './request-scope.ts'

const ORIGIN = 'https://example.com'
const PLACES: readonly Place[] = ['page', 'action', 'route handler']

function application(options: Partial<NextAuthConfig> = {}) {
  const config: NextAuthConfig = {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    basePath: '/api/auth',
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    pages: { signIn: '/login' },
    providers: [
      Credentials({
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: '1', name: String(name) }),
      }),
    ],
    ...options,
  }
  return {
    ...SiteAuth(config),
    /** The headers of a browser in which Ann is signed in. */
    ann: async () => (await signInAs(config, { id: '1', name: 'Ann' }, { url: ORIGIN })).headers,
  }
}

/** Where a redirect leads; undefined if something else was thrown. */
function locationIn(digest: string | undefined): URL | undefined {
  const [kind, , url = ''] = digest?.split(';') ?? []
  return kind === 'NEXT_REDIRECT' ? new URL(url) : undefined
}

/** Where an anonymous visitor of a page is sent. */
async function sentTo(
  options: Parameters<ReturnType<typeof application>['requireSession']>[0],
  { config = {}, referer }: { config?: Partial<NextAuthConfig>; referer?: string } = {},
): Promise<string | undefined> {
  const { requireSession } = application(config)
  const headers = { ...(referer !== undefined && { referer }) }
  const { digest } = await runInNext('page', headers, () => requireSession(options))
  return locationIn(digest)?.href
}

describe.each(PLACES)('requireSession in a %s', place => {
  it('resolves with the session that auth() resolves with, for one read', async () => {
    const session = vi.fn(({ session }: { session: Session }) => session)
    const { auth, requireSession, ann } = application({ callbacks: { session } })
    const { value, setCookies } = await runInNext(place, await ann(), async () => [
      await requireSession(),
      await auth(),
      await requireSession({ allow: () => true }),
    ])
    expect(value?.[0]).toMatchObject({ user: { name: 'Ann' } })
    expect(value?.[1]).toBe(value?.[0])
    expect(value?.[2]).toBe(value?.[0])
    expect(session).toHaveBeenCalledTimes(1)
    expect(setCookies).toEqual([])
  })

  it('sends anonymous visitors to the sign-in page, as Next redirects there', async () => {
    const { requireSession } = application()
    const { digest, setCookies } = await runInNext(place, {}, () => requireSession())
    const [kind, status] = place === 'page' ? ['replace', 307] : ['push', 303]
    expect(digest).toBe(`NEXT_REDIRECT;${kind};${ORIGIN}/login?callbackUrl=%2F;${status};`)
    expect(setCookies).toEqual([])
  })

  it('counts a visitor as anonymous whose session is null by the callback', async () => {
    const allow = vi.fn(() => true)
    const session = () => null as unknown as Session
    const { requireSession, ann } = application({ callbacks: { session } })
    const { digest } = await runInNext(place, await ann(), () => requireSession({ allow }))
    expect(locationIn(digest)?.pathname).toBe('/login')
    expect(allow).not.toHaveBeenCalled()
  })

  it.each([undefined, 'a string', 1])(
    'rejects if the callback makes a session of another kind: %j',
    async answer => {
      const session = () => answer as unknown as Session
      const { requireSession, ann } = application({ callbacks: { session } })
      const { thrown, digest } = await runInNext(place, await ann(), () => requireSession())
      expect(thrown).toBeInstanceOf(AuthError)
      expect(digest).toBeUndefined()
    },
  )

  it.each([false, undefined, null, 0, 1, 'yes', [], {}])(
    'rejects a user about whom allow answers %j',
    async answer => {
      const { requireSession, ann } = application()
      for (const allow of [() => answer, async () => answer] as (() => boolean)[]) {
        const { thrown, digest } = await runInNext(place, await ann(), () =>
          requireSession({ allow }),
        )
        expect(thrown).toBeInstanceOf(AccessDenied)
        expect(digest).toBeUndefined()
      }
    },
  )

  it('rejects such users as Next itself forbids, if that is enabled', async () => {
    vi.stubEnv('__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS', 'true')
    const { requireSession, ann } = application()
    const own = await runInNext(place, {}, async () => forbidden())
    const { digest } = await runInNext(place, await ann(), () =>
      requireSession({ allow: async () => false }),
    )
    expect(digest).toBe('NEXT_HTTP_ERROR_FALLBACK;403')
    expect(digest).toBe(own.digest)
  })

  it('rejects with what allow throws', async () => {
    const { requireSession, ann } = application()
    const oops = new Error('the database of roles is down')
    const failing = () => Promise.reject(oops)
    const { thrown } = await runInNext(place, await ann(), () => requireSession({ allow: failing }))
    expect(thrown).toBe(oops)
    const nothing = await runInNext(place, await ann(), () =>
      requireSession({
        allow() {
          throw undefined
        },
      }),
    )
    expect(nothing.thrown).toBeInstanceOf(TypeError)
  })

  it('rejects if the session cannot be read, without sending anyone to sign in', async () => {
    const adapter = MemoryAdapter()
    const { requireSession, ann } = application({ adapter, session: { strategy: 'database' } })
    const headers = await ann()
    const fails = () => Promise.reject(new Error('the store is down'))
    for (const name of Object.keys(adapter)) Reflect.set(adapter, name, fails)
    const { thrown, digest } = await runInNext(place, headers, () => requireSession())
    expect(thrown).toBeInstanceOf(AuthError)
    expect(digest).toBeUndefined()
  })

  it('rejects the option except', async () => {
    const { requireSession, ann } = application()
    const options = { except: ['/login'] } as object
    const { thrown } = await runInNext(place, await ann(), () => requireSession(options))
    expect(thrown).toBeInstanceOf(TypeError)
    expect(String(thrown)).toContain('except')
  })

  it('rejects an option that it does not know, which would let every user pass', async () => {
    const { requireSession, ann } = application()
    const options = { roles: ['admin'] } as object
    const { thrown } = await runInNext(place, await ann(), () => requireSession(options))
    expect(String(thrown)).toContain('was given roles')
  })
})

describe('an anonymous visitor', () => {
  it('is not shown to allow', async () => {
    const allow = vi.fn(() => true)
    expect(await sentTo({ allow })).toBe(`${ORIGIN}/login?callbackUrl=%2F`)
    expect(allow).not.toHaveBeenCalled()
  })

  it('is one whose cookie nobody has sealed', async () => {
    const { requireSession } = application()
    const cookie = '__Secure-authjs.session-token=junk'
    const { digest } = await runInNext('page', { cookie }, () => requireSession())
    expect(locationIn(digest)?.pathname).toBe('/login')
  })

  it('goes to the built-in page where there is no other', async () => {
    const config = { pages: {} }
    expect(await sentTo({}, { config })).toBe(`${ORIGIN}/api/auth/signin?callbackUrl=%2F`)
  })

  it.each([
    ['/enter', `${ORIGIN}/enter?callbackUrl=%2F`],
    ['/enter?theme=dark', `${ORIGIN}/enter?theme=dark&callbackUrl=%2F`],
    ['https://id.example/enter', 'https://id.example/enter?callbackUrl=%2F'],
    ['/enter?callbackUrl=/account?a=b', `${ORIGIN}/enter?callbackUrl=%2Faccount%3Fa%3Db`],
  ])('goes to the page that the option redirectTo names: %s', async (redirectTo, url) => {
    expect(await sentTo({ redirectTo })).toBe(url)
  })

  it.each([
    [`${ORIGIN}/shop?page=2`, `${ORIGIN}/shop?page=2`],
    [`${ORIGIN}/shop?_rsc=abc`, `${ORIGIN}/shop`],
    ['https://evil.example/', '/'],
    [`${ORIGIN}/login`, null],
    [`${ORIGIN}/login?error=AccessDenied`, null],
  ])('who comes from %s returns to %s', async (referer, to) => {
    const url = new URL((await sentTo({}, { referer })) ?? '')
    expect(url.pathname).toBe('/login')
    expect(url.searchParams.get('callbackUrl')).toBe(to)
  })

  it('is sent below the base path of Next', async () => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop')
    expect(await sentTo({})).toBe(`${ORIGIN}/shop/login?callbackUrl=%2Fshop%2F`)
    expect(await sentTo({ redirectTo: '/enter?callbackUrl=/account' })).toBe(
      `${ORIGIN}/shop/enter?callbackUrl=%2Fshop%2Faccount`,
    )
  })

  it('is sent nowhere by a host that is not trusted', async () => {
    const { requireSession } = application({ trustHost: false })
    const { thrown, digest } = await runInNext('page', {}, () => requireSession())
    expect(thrown).toBeInstanceOf(AuthError)
    expect(digest).toBeUndefined()
  })
})

describe('a route handler that auth wraps', () => {
  it('reads the session once, and has it renewed', async () => {
    const session = vi.fn(({ session }: { session: Session }) => session)
    const { auth, requireSession, ann } = application({
      callbacks: { session },
      session: { updateAge: 0 },
    })
    const handler = auth(async request =>
      Response.json([request.auth, await auth(), await requireSession()]),
    )
    const { value } = await runInNext('route handler', await ann(), request =>
      handler(request, { params: Promise.resolve({}) }),
    )
    const [wrapped, bare, required] = (await value?.json()) ?? []
    expect(wrapped).toMatchObject({ user: { name: 'Ann' } })
    expect(bare).toEqual(wrapped)
    expect(required).toEqual(wrapped)
    expect(session).toHaveBeenCalledTimes(1)
    expect(value?.headers.getSetCookie()).toHaveLength(1)
  })
})

describe('an action', () => {
  it('requires the session of whoever has just signed in, and none of whoever has just left', async () => {
    const { requireSession, signIn, signOut, ann } = application()
    const entered = await runInNext('action', {}, async () => {
      await signIn('credentials', { name: 'Eve', redirect: false })
      return requireSession()
    })
    expect(entered.value).toMatchObject({ user: { name: 'Eve' } })
    const left = await runInNext('action', await ann(), async () => {
      await signOut({ redirect: false })
      return requireSession()
    })
    expect(locationIn(left.digest)?.pathname).toBe('/login')
  })
})

it('rejects outside requests, in the words of Next', async () => {
  const { requireSession } = application()
  await expect(requireSession()).rejects.toThrow('outside a request scope')
})

it('reads the configuration that a function returns', async () => {
  const config: NextAuthConfig = {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    providers: [],
  }
  const configure = vi.fn(async (_request: NextRequest | undefined) => config)
  const { requireSession } = SiteAuth(configure)
  const { headers } = await signInAs(config, { id: '1', name: 'Ann' }, { url: ORIGIN })
  const { value } = await runInNext('page', headers, () => requireSession())
  expect(value).toMatchObject({ user: { name: 'Ann' } })
  expect(configure.mock.calls).toEqual([[undefined]])
})
