import type { AuthConfig } from '@siteauth/core'
import {
  createIntegration,
  type FrameworkAdapter,
  pendingChanges,
  type RequireSessionMiddlewareOptions,
  type RequireSessionOptions,
  toResponse,
} from '@siteauth/core/integration'
import { callOrMiddleware, decideAccess } from '@siteauth/core/internal'
import Credentials from '@siteauth/core/providers/credentials'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/src/index.ts'
import { recordingLogger, SECRET } from './visitor.ts'

const HOME = 'https://app.example.com'
const PAGE = { accept: 'text/html' }

/** A request, and the route that the framework has matched, whatever its URL looks like. */
interface Context {
  readonly request: Request
  readonly route: string | undefined
}

function framework(more: Partial<AuthConfig> = {}, names: 'paths' | 'routes' = 'routes') {
  const recorded = recordingLogger()
  const changes = pendingChanges<object>()
  const host: FrameworkAdapter<Context, Response> = {
    request: ({ request }) => request,
    change: changes.add,
    respond: (_context, answer) => toResponse(answer),
    env: () => ({}),
    except: { names, nameOf: ({ route }) => route },
  }
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    logger: recorded.logger,
    providers: [Credentials({ credentials: {}, authorize: () => null })],
    ...more,
  }
  return { ...recorded, config, auth: createIntegration(host, config) }
}

async function cookieOf(config: AuthConfig, name: string): Promise<string> {
  const user = { id: name, name, email: `${name}@example.com` }
  const { headers } = await signInAs(config, user, { url: HOME, env: { NODE_ENV: 'test' } })
  return new Headers(headers).get('cookie') ?? ''
}

interface Visit {
  readonly path?: string
  readonly route?: string | undefined
  readonly method?: string
  readonly headers?: Record<string, string>
}

function visit({ path = '/', route, method = 'GET', headers = {} }: Visit = {}): Context {
  return { request: new Request(HOME + path, { method, headers: { ...PAGE, ...headers } }), route }
}

describe('the decision', () => {
  it('is the same for every framework', () => {
    const ada = { user: { name: 'Ada' } }
    expect(decideAccess(ada, { allowed: true })).toBe('allow')
    expect(decideAccess(ada, { allowed: false })).toBe('forbidden')
    expect(decideAccess(null, { allowed: true })).toBe('sign in')
    expect(decideAccess(null, { allowed: false })).toBe('sign in')
    expect(decideAccess(undefined, { allowed: true })).toBe('sign in')
  })

  it('lets anonymous visitors through only if the check of the application covers them', () => {
    expect(decideAccess(null, { allowed: true, coversAnonymous: true })).toBe('allow')
    expect(decideAccess(null, { allowed: false, coversAnonymous: true })).toBe('sign in')
    expect(decideAccess({}, { allowed: false, coversAnonymous: true })).toBe('forbidden')
  })

  it('takes nothing but true for a yes', () => {
    for (const allowed of [1, 'yes', [], {}] as unknown as boolean[]) {
      expect(decideAccess({}, { allowed, coversAnonymous: true })).toBe('forbidden')
    }
  })
})

describe('a guard in a route', () => {
  it.each(['/login', '/auth/signin', '/signin', '/', '/login?step=1'])(
    'denies a request without a session at %s, which is the sign-in page',
    async path => {
      const { auth } = framework({ pages: { signIn: path } })
      const options = { redirectTo: path }
      for (const given of [{}, options]) {
        const { session, denial } = await auth.guard(visit({ path, route: path }), given)
        expect(session).toBeUndefined()
        expect(denial?.response.status).toBe(302)
      }
    },
  )

  it('denies a user whom `allow` rejects at the sign-in page as well', async () => {
    const { auth, config } = framework({ pages: { signIn: '/login' } })
    const headers = { cookie: await cookieOf(config, 'Ben') }
    const { denial } = await auth.guard(visit({ path: '/login', headers }), { allow: () => false })
    expect(denial?.response.status).toBe(403)
  })

  it('takes no exemptions', async () => {
    const { auth } = framework()
    const options: RequireSessionOptions = { except: ['/login'] } as RequireSessionOptions // JavaScript has no types
    await expect(auth.guard(visit(), options)).rejects.toThrow('except is for the middleware form')
  })
})

describe('a guard in front', () => {
  const passes = async (options: RequireSessionMiddlewareOptions, given: Visit) =>
    (await framework().auth.createGuard(options)(visit(given))).isExempt === true

  it('exempts the route that `except` names, whatever its URL', async () => {
    const except = ['/login']
    expect(await passes({ except }, { route: '/login', path: '/admin' })).toBe(true)
    expect(await passes({ except }, { route: '/login', method: 'HEAD' })).toBe(true)
    expect(await passes({ except }, { route: '/admin', path: '/login' })).toBe(false)
    expect(await passes({ except }, { route: undefined, path: '/login' })).toBe(false)
    expect(await passes({}, { route: '/login', path: '/login' })).toBe(false)
  })

  it.each(['/LOGIN', '/login/', '//login', '/login ', '/%6cogin', 'login', '', '/log', '/login/x'])(
    'does not exempt %j for `/login`',
    async route => {
      expect(await passes({ except: ['/login', 'POST /login'] }, { route })).toBe(false)
    },
  )

  it('exempts a form only if it is named, and no other method', async () => {
    const route = '/login'
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
      expect(await passes({ except: ['/login'] }, { route, method })).toBe(false)
      const except = ['/login', 'POST /login']
      expect(await passes({ except }, { route, method })).toBe(method === 'POST')
    }
    expect(await passes({ except: ['POST /login'] }, { route })).toBe(false)
  })

  it('does not exempt the sign-in page that is configured, nor the endpoints', async () => {
    const { auth } = framework({ pages: { signIn: '/login' } })
    const guard = auth.createGuard()
    for (const path of ['/login', '/auth/signin', '/auth/session']) {
      const { isExempt, denial } = await guard(visit({ path, route: path }))
      expect([isExempt, denial?.response.status]).toEqual([undefined, 302])
    }
  })

  it.each([[[' /login']], [['']], [['POST ']], [[7]], [['POST  /login']], ['/login'], [{}]])(
    'rejects the option %j when it is created',
    except => {
      const options = { except } as RequireSessionMiddlewareOptions // JavaScript has no types
      expect(() => framework().auth.createGuard(options)).toThrow('The option except')
    },
  )

  it.each<['paths' | 'routes', string, string]>([
    ['paths', '/*', 'takes single paths, such as "/login"'],
    ['paths', '/a b', 'takes single paths'],
    ['paths', '/login?step=1', 'takes single paths'],
    ['paths', '/login#top', 'takes single paths'],
    ['paths', 'login', 'takes single paths'],
    ['paths', 'https://app.example.com/login', 'takes single paths'],
    ['routes', '/a b', 'takes routes as the framework writes them, such as "/login"'],
  ])('takes for %s no entry %j', (names, entry, expected) => {
    const { auth } = framework({}, names)
    const message = `The option except of requireSession ${expected}`
    expect(() => auth.createGuard({ except: [entry] })).toThrow(message)
    const form = `POST ${entry}`
    expect(() => auth.createGuard({ except: [form] })).toThrow(JSON.stringify(form))
  })

  it.each<['paths' | 'routes', string]>([
    ['paths', '/'],
    ['paths', '/login'],
    ['paths', '/a/b.html'],
    ['routes', '/posts/[id]'],
    ['routes', '/files/*'],
    ['routes', 'login'],
  ])('takes for %s the entry %j', async (names, entry) => {
    const { auth } = framework({}, names)
    const guard = auth.createGuard({ except: [entry, `POST ${entry}`] })
    for (const method of ['GET', 'POST']) {
      expect((await guard(visit({ route: entry, method }))).isExempt).toBe(true)
    }
  })

  it('says in the log, once, that the sign-in page is behind it, and ends the redirects', async () => {
    const { auth, errors } = framework({ pages: { signIn: '/login' } })
    const guard = auth.createGuard({ except: ['/signin'] })
    const first = await guard(visit({ path: '/login', route: '/login' }))
    expect(first.denial?.response.status).toBe(302)
    for (const _ of ['once', 'again']) {
      const again = await guard(visit({ path: '/login?callbackUrl=%2Flogin', route: '/login' }))
      expect(again.denial?.response.status).toBe(508)
    }
    expect(errors.map(({ name }) => name)).toEqual(['ErrorPageLoop'])
    expect(errors[0]?.message).toContain('add "/login" to the option except')
  })

  it('never advises to exempt a route that is more than the sign-in page', async () => {
    const { auth, errors } = framework({ pages: { signIn: '/login' } })
    const guard = auth.createGuard()
    await guard(visit({ path: '/login?callbackUrl=%2F', route: '/*' }))
    expect(errors[0]?.message).not.toContain('"/*"')
  })

  it('does not take an address that resembles the sign-in page for it', async () => {
    const { auth, errors } = framework({ pages: { signIn: '/login' } })
    const guard = auth.createGuard({ except: ['/login'] })
    for (const path of ['//login?callbackUrl=x', '/LOGIN?callbackUrl=x', '/login/?callbackUrl=x']) {
      const { denial } = await guard(visit({ path, route: '/*' }))
      expect(denial?.response.status).toBe(302)
    }
    expect(errors).toEqual([])
  })
})

describe('what the application returns', () => {
  it.each([false, '', 0, true, 'Ada', 1])('is not a session if it is %j', async returned => {
    const session = () => returned as never // what a condition in front of the session may return
    const { auth, config, errors } = framework({ callbacks: { session } })
    const headers = { cookie: await cookieOf(config, 'Ada') }
    const { denial } = await auth.guard(visit({ headers }), { allow: () => true })
    expect(denial?.response.status).toBe(503)
    expect(errors.map(({ name }) => name)).toContain('JWTSessionError')
    expect(decideAccess(returned, { allowed: true })).toBe('sign in')
  })

  it.each([undefined, null, 'route', 0])('is an error if `allow` throws %j', async thrown => {
    const { auth, config } = framework()
    const headers = { cookie: await cookieOf(config, 'Ada') }
    const guarding = auth.guard(visit({ headers }), { allow: () => Promise.reject(thrown) })
    await expect(guarding).rejects.toThrow('which is not an error')
  })

  it('is thrown as it is if it is an object, such as a redirect of the framework', async () => {
    const { auth, config } = framework()
    const headers = { cookie: await cookieOf(config, 'Ada') }
    const redirect = new Response(null, { status: 302 })
    const guarding = auth.guard(visit({ headers }), { allow: () => Promise.reject(redirect) })
    await expect(guarding).rejects.toBe(redirect)
  })
})

describe('a Host header', () => {
  const malformed = [
    'evil/login?',
    'evil\\login?',
    'evil#',
    'a b',
    'x@y',
    'a:b',
    '[x]',
    '1.2.3.4.5',
  ]

  it.each(malformed)('%j is rejected by guards, endpoints and whatever else', async host => {
    for (const AUTH_URL of [undefined, HOME]) {
      const { auth } = framework(AUTH_URL === undefined ? {} : { trustHost: false })
      const context = visit({ path: '/login', route: '/login', headers: { host } })
      expect(auth.handles(context)).toBe(true)
      const inFront = await auth.createGuard({ except: ['/login'] })(context)
      const inRoute = await auth.guard(context)
      const endpoint = await auth.handle(visit({ path: '/auth/session', headers: { host } }))
      expect([
        inFront.denial?.response.status,
        inRoute.denial?.response.status,
        endpoint.status,
      ]).toEqual([400, 400, 400])
    }
  })

  it.each([
    'a',
    'my_service:3000',
    'app.example.com.',
    '[::1]:3000',
    '127.0.0.1',
    'xn--e1afmkfd.x',
  ])('%j is not', async host => {
    expect(framework().auth.handles(visit({ headers: { host } }))).toBe(false)
  })
})

// Two people and a visitor, in any order, with any path and method: what a guard lets through is what it says.
it('a guard lets through whom it should, and nobody else', async () => {
  const { auth, config } = framework({ pages: { signIn: '/login' } })
  const cookies = {
    nobody: '',
    Ada: await cookieOf(config, 'Ada'),
    Ben: await cookieOf(config, 'Ben'),
    forged: 'authjs.session-token=x; __Secure-authjs.session-token=y',
  }
  const name = fc.constantFrom<(string | undefined)[]>(
    '/login',
    '/',
    '/admin',
    '/LOGIN',
    '//login',
    '/auth/signin',
    undefined,
  )
  const entry = fc.constantFrom<string[]>('/login', 'POST /login', '/', '/admin')
  const attempt = fc.record({
    who: fc.constantFrom('nobody', 'Ada', 'Ben', 'forged'),
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'),
    path: fc.constantFrom('/login', '/admin', '/login?callbackUrl=%2F', '/auth/signin'),
    route: name,
    except: fc.array(entry),
    allowed: fc.constantFrom('all', 'Ada'),
    host: fc.constantFrom('app.example.com', 'evil\\login?'),
  })
  await fc.assert(
    fc.asyncProperty(attempt, async ({ who, method, path, route, except, allowed, host }) => {
      const allow = ({ user }: { user?: { name?: string | null } }) =>
        allowed === 'all' || user?.name === allowed
      const headers = { host, cookie: cookies[who as keyof typeof cookies] }
      const isUser = who === 'Ada' || (who === 'Ben' && allowed === 'all')
      const isRead = method === 'GET' || method === 'HEAD'
      const isNamed =
        route !== undefined &&
        ((isRead && except.includes(route)) ||
          (method === 'POST' && except.includes(`POST ${route}`)))
      const isSound = host === 'app.example.com'
      const context = () => visit({ path, method, route, headers })
      const inFront = await auth.createGuard({ except, allow })(context())
      expect(inFront.denial === undefined).toBe(isSound && (isNamed || isUser))
      const inRoute = await auth.guard(context(), { allow })
      expect(inRoute.denial === undefined).toBe(isSound && isUser)
      expect(inRoute.session?.user?.name).toBe(isSound && isUser ? who : undefined)
    }),
    { numRuns: 300 },
  )
})

describe('requireSession of a framework in which it is a call and middleware', () => {
  const requireSession = callOrMiddleware(
    (context: { readonly request: Request }, _options?: RequireSessionOptions) => ['call', context],
    (options: RequireSessionMiddlewareOptions & { readonly except: readonly string[] }) => [
      'middleware',
      options,
    ],
  )

  it('is middleware if its options have `except`', () => {
    expect(requireSession({ except: [] })[0]).toBe('middleware')
    expect(requireSession(visit())[0]).toBe('call')
  })

  it('is an error without a request, rather than middleware that nobody runs', () => {
    const call = requireSession as (context?: unknown) => unknown
    expect(() => call()).toThrow('without the request')
    expect(() => call(null)).toThrow('without the request')
  })
})
