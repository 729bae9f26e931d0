import { type AuthConfig, type AuthInstance, createAuth, type SessionRequest } from '@siteauth/core'
import { CALLS, type CallName } from '@siteauth/core/internal'
import Credentials from '@siteauth/core/providers/credentials'
import Password from '@siteauth/core/providers/password'
import { describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { signInAs } from '../../testing/src/index.ts'
import { createGate, createWorld, requestOf } from './tokens/people.ts'
import { recordingLogger, SECRET } from './visitor.ts'

const SITE = 'https://site.example'
const COOKIE = '__Secure-authjs.session-token'
const DAY = 86_400_000
const ADA = { id: '1', name: 'Ada', email: 'ada@example.com' }
const RIGHT = { password: 'right' }
const NAMES = Object.keys(CALLS) as CallName[]
const REQUIRED = NAMES.filter(name => CALLS[name].cookies === 'required')

function setUp(more: Partial<AuthConfig> = {}) {
  const { logger } = recordingLogger()
  const asked: unknown[] = []
  const config: AuthConfig = {
    secret: SECRET,
    logger,
    providers: [
      Credentials({
        credentials: { password: {} },
        authorize(fields) {
          asked.push(fields)
          return fields['password'] === 'right' ? ADA : null
        },
      }),
    ],
    ...more,
  }
  const env = { NODE_ENV: 'test', AUTH_URL: SITE }

  /** A request of Ada, who signed in some days ago. */
  async function requestOfAda(days = 0): Promise<Request> {
    const at = new Date(Date.now() - days * DAY)
    const { headers } = await signInAs(config, ADA, { url: SITE, at, env })
    return new Request(SITE, { headers })
  }

  return { auth: createAuth(config, { env }), asked, requestOfAda }
}

const stranger = () => new Request(SITE)

/** The member of an instance that a name of the list leads to. */
function callOf(auth: AuthInstance, name: CallName): unknown {
  return name
    .split('.')
    .reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], auth)
}

/** A store that tells of each call of its methods, also those of its parts. */
function telling<Store extends object>(store: Store, tell: (method: string) => void): Store {
  const members = Object.entries(store).map(([name, member]) => {
    if (typeof member !== 'function') {
      return [name, typeof member === 'object' && member ? telling(member, tell) : member]
    }
    const method = (...args: unknown[]) => {
      tell(name)
      return member(...args)
    }
    return [name, method]
  })
  return Object.fromEntries(members) as Store // with the same members
}

function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

describe('the list of calls', () => {
  it.each(NAMES)('has %s, which is a function of an instance', name => {
    expect(callOf(setUp().auth, name)).toBeTypeOf('function')
  })

  it('has all calls of an instance, and all of its groups', () => {
    const { handle: _, applyTo: __, takeSetCookies: ___, ...calls } = setUp().auth
    const found = Object.entries(calls).flatMap(([name, member]) =>
      typeof member === 'function' ? [name] : Object.keys(member).map(call => `${name}.${call}`),
    )
    expect(found.toSorted()).toEqual(NAMES.toSorted())
  })
})

describe('applyTo', () => {
  it('returns the very same response if there are no cookies', async () => {
    const { auth, requestOfAda } = setUp()
    const request = await requestOfAda()
    await auth.getSession(request)
    await auth.listProviders(request)
    const response = new Response('a page')
    expect(auth.applyTo(request, response)).toBe(response)
    expect(auth.applyTo(stranger(), response)).toBe(response)
    expect(response.headers.has('cache-control')).toBe(false)
  })

  it('adds the cookies of all calls to those of the application, and keeps caches away', async () => {
    const { auth } = setUp()
    const request = stranger()
    const location = await auth.signIn(request, 'credentials', { ...RIGHT, redirectTo: '/in' })
    const headers = { location, 'set-cookie': 'own=1', 'cache-control': 'public, max-age=60' }
    const response = auth.applyTo(request, new Response('moved', { status: 303, headers }))
    expect(response.status).toBe(303)
    expect(await response.text()).toBe('moved')
    expect(response.headers.get('location')).toBe(`${SITE}/in`)
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
    const [own, ...others] = response.headers.getSetCookie()
    expect(own).toBe('own=1')
    expect(others).toContainEqual(expect.stringMatching(`^${COOKIE}=.+HttpOnly`))
  })

  it('can change a response whose headers are immutable', async () => {
    const { auth } = setUp()
    const request = stranger()
    const location = await auth.signIn(request, 'credentials', RIGHT)
    const response = auth.applyTo(request, Response.redirect(location))
    expect(response.headers.getSetCookie().join()).toContain(COOKIE)
  })

  it('hands out each cookie once', async () => {
    const { auth } = setUp()
    const request = stranger()
    await auth.signIn(request, 'credentials', RIGHT)
    expect(auth.takeSetCookies(request)).not.toEqual([])
    expect(auth.takeSetCookies(request)).toEqual([])
    const response = new Response()
    expect(auth.applyTo(request, response)).toBe(response)
  })
})

describe('calls for one request', () => {
  it('see that somebody has signed in, or out', async () => {
    const { auth } = setUp()
    const request = stranger()
    expect(await auth.getSession(request)).toBeNull()
    await auth.signIn(request, 'credentials', RIGHT)
    expect(await auth.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
    expect(await auth.update(request, {})).toMatchObject({ user: { name: 'Ada' } })
    await auth.signOut(request)
    expect(await auth.getSession(request)).toBeNull()
    expect(await auth.update(request, {})).toBeNull()
    expect(request.headers.has('cookie')).toBe(false)
  })

  it('see it with the headers of Node, and with those of HTTP/2', async () => {
    const { auth } = setUp()
    const headers = { ':method': 'POST', ':path': '/', ':authority': 'site.example', cookie: 'a=1' }
    const request = { headers }
    await auth.signIn(request, 'credentials', RIGHT)
    expect(await auth.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
    await auth.signOut(request)
    expect(await auth.getSession(request)).toBeNull()
    expect(headers.cookie).toBe('a=1')
  })

  it('leave those of another request alone, even with the same headers', async () => {
    const { auth } = setUp()
    const [one, other] = [stranger(), stranger()]
    const copy = new Request(one)
    await Promise.all([
      auth.signIn(one, 'credentials', RIGHT),
      auth.signIn(other, 'credentials', { password: 'wrong' }).catch(() => {}),
    ])
    expect(await auth.getSession(other)).toBeNull()
    expect(await auth.getSession(copy)).toBeNull()
    expect(auth.takeSetCookies(copy)).toEqual([])
    expect(auth.takeSetCookies(other).join()).not.toContain(COOKIE)
    expect(auth.takeSetCookies(one).join()).toContain(COOKIE)
  })

  it('leave those of another instance alone', async () => {
    const [one, other] = [setUp().auth, setUp().auth]
    const request = stranger()
    await one.signIn(request, 'credentials', RIGHT)
    expect(other.takeSetCookies(request)).toEqual([])
    expect(one.takeSetCookies(request)).not.toEqual([])
  })
})

describe.each([
  ['a cookie', {}],
  ['a database', { adapter: MemoryAdapter(), session: { strategy: 'database' } }],
] as const)('a session in %s that is due', (_where, config) => {
  it('is renewed by getSession, and its cookie waits for the response', async () => {
    const { auth, requestOfAda } = setUp(config)
    const request = await requestOfAda(2)
    const session = await auth.getSession(request)
    expect(Date.parse(session?.expires ?? '')).toBeGreaterThan(Date.now() + 29 * DAY)
    const cookies = auth.applyTo(request, new Response()).headers.getSetCookie()
    expect(cookies).toContainEqual(expect.stringMatching(`^${COOKIE}=.+Expires=`))
  })

  it('sets one cookie, however often it is read', async () => {
    const { auth, requestOfAda } = setUp(config)
    const request = await requestOfAda(2)
    await Promise.all([auth.getSession(request), auth.getSession(request)])
    await auth.getSession(request)
    const cookies = auth.takeSetCookies(request).filter(line => line.startsWith(COOKIE))
    expect(cookies).toHaveLength(1)
  })

  it('is read without being renewed once the cookies have been handed out', async () => {
    const { auth, requestOfAda } = setUp(config)
    const request = await requestOfAda(2)
    auth.applyTo(request, new Response())
    const session = await auth.getSession(request)
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(Date.parse(session?.expires ?? '')).toBeLessThan(Date.now() + 29 * DAY)
    expect(auth.takeSetCookies(request)).toEqual([])
  })
})

describe('a sign-out counts, though the session is being renewed at the same time', () => {
  it.each([
    ['as the first call', async () => {}],
    [
      'after other calls',
      async (auth: AuthInstance, request: SessionRequest) => {
        await auth.signIn(request, 'credentials', { password: 'wrong' }).catch(() => {})
        await auth.update(request, { seen: true })
      },
    ],
  ])('%s', async (_when, before) => {
    const gate = createGate()
    let isSlow = false
    const { auth, requestOfAda } = setUp({
      session: { updateAge: 0 },
      callbacks: {
        async session({ session }) {
          if (isSlow) await gate.passed
          return session
        },
      },
    })
    const request = await requestOfAda(2)
    await before(auth, request)
    isSlow = true
    const reading = auth.getSession(request)
    await auth.signOut(request)
    gate.open()
    await reading
    const last = auth.takeSetCookies(request).findLast(line => line.startsWith(COOKIE))
    expect(last).toMatch(`${COOKIE}=; Max-Age=0`)
    expect(await auth.getSession(request)).toBeNull()
  })
})

describe('a call that fails', () => {
  it('leaves its cookies for the response', async () => {
    const { auth, clock, provider, signIn } = createWorld({ account: { sessionError: true } })
    const request = requestOf(await signIn('ada'))
    provider.endGrants()
    clock.now += 3_600_000
    const call = auth.accounts.getAccessToken(request, 'op')
    await expect(call).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await auth.getSession(request)).toMatchObject({ error: 'RefreshTokenError' })
    const response = auth.applyTo(request, new Response(null, { status: 409 }))
    expect(response.status).toBe(409)
    expect(response.headers.getSetCookie().join()).toContain('siteauth.token-error=1')
  })
})

describe('after the cookies of a request have been handed out', () => {
  it.each(REQUIRED)('%s is rejected before anything is done', async name => {
    const stored = vi.fn()
    const adapter = telling(MemoryAdapter(), stored)
    const { auth, asked, requestOfAda } = setUp({ adapter, session: { strategy: 'jwt' } })
    const request = await requestOfAda()
    auth.applyTo(request, new Response())
    expect(stored).toHaveBeenCalled()
    stored.mockClear()
    const call = callOf(auth, name) as (...args: unknown[]) => Promise<unknown>
    const rejected = call(request, name === 'signIn' ? 'credentials' : {})
    await expect(rejected).rejects.toThrow(TypeError)
    await expect(rejected).rejects.toThrow(`${name} sets a cookie. Call it before \`applyTo\``)
    expect([asked, stored.mock.calls, auth.takeSetCookies(request)]).toEqual([[], [], []])
    expect(await auth.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('all other calls do without', async () => {
    const { auth, requestOfAda } = setUp({
      adapter: MemoryAdapter(),
      session: { strategy: 'jwt', track: true },
    })
    const request = await requestOfAda()
    auth.takeSetCookies(request)
    expect(await auth.sessions.list(request)).toHaveLength(1)
    expect(await auth.accounts.list(request)).toEqual([])
    expect(await auth.listProviders(request)).toMatchObject([{ id: 'credentials' }])
    expect(await auth.signIn(request)).toMatch(`${SITE}/auth/signin`) // the page needs no cookie
    expect(auth.takeSetCookies(request)).toEqual([])
  })
})

describe('users.endSessions', () => {
  it('needs no request', async () => {
    const adapter = MemoryAdapter()
    const { auth, requestOfAda } = setUp({ adapter, session: { strategy: 'jwt' } })
    const request = await requestOfAda()
    expect(await auth.getSession(request)).not.toBeNull()
    await auth.users.endSessions(String((await adapter.getUserByEmail(ADA.email))?.id))
    expect(await auth.getSession(request)).toBeNull()
  })
})

describe('a form', () => {
  it('is taken for options, without what the framework has added', async () => {
    const { auth, asked } = setUp()
    const form = formOf({ ...RIGHT, redirectTo: '/in', redirect: 'false', $ACTION_ID_1: 'x' })
    expect(await auth.signIn(stranger(), 'credentials', form)).toBe(`${SITE}/in`)
    expect(asked).toEqual([expect.objectContaining(RIGHT)])
    expect(Object.keys(asked[0] as object)).not.toContain('redirect')
    expect(Object.keys(asked[0] as object).join()).not.toContain('$ACTION')
  })

  it('leads nowhere by a file', async () => {
    const { auth, requestOfAda } = setUp()
    const form = formOf({ redirectTo: new File(['/in'], 'a') })
    expect(await auth.signOut(await requestOfAda(), form as FormData)).toBe(`${SITE}/`)
  })

  it('sends a link as for a forgotten password, unless it says that it is to sign up', async () => {
    const mails: unknown[] = []
    const { auth } = setUp({
      adapter: MemoryAdapter(),
      providers: [
        Password({ mail: ({ reason, request }) => void mails.push([reason, request.url]) }),
      ],
    })
    const purposes = ['sign-up', 'reset', '../../callback/github', new File([], 'sign-up')]
    for (const [index, purpose] of purposes.entries()) {
      const form = formOf({ purpose, email: `${index}@example.com` })
      await auth.passwords.sendLink(stranger(), form)
    }
    const reset = ['no-user', `${SITE}/auth/password/forgot`]
    const signUp = ['sign-up', `${SITE}/auth/password/sign-up`]
    expect(mails).toEqual([signUp, reset, reset, reset])
  })
})

it('a call takes a request of Node, whose URL is a path', async () => {
  const { auth, requestOfAda } = setUp()
  const { headers } = await requestOfAda()
  const request = { headers: { cookie: headers.get('cookie') ?? '' }, url: '/account?tab=1' }
  expect(await auth.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
  expect(await auth.signOut(request)).toBe(`${SITE}/`)
  expect(auth.takeSetCookies(request).join()).toContain(`${COOKIE}=;`)
})
