import { encode as oldEncode } from '@auth/core/jwt'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestAuth, readWithoutRenewal, SECRET, Visitor } from '../../../../test/visitor.ts'
import type { Callbacks } from '../../base/callbacks.ts'
import { AuthError, JWTSessionError } from '../../base/errors.ts'
import type { JWT } from '../../base/session.ts'
import type { AuthConfig } from '../../config/options.ts'
import { decode, encode } from './jwt.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND
const START = Date.UTC(2030, 0, 1)
const SITE = 'https://app.example.com'
const COOKIE = '__Secure-authjs.session-token'
const CLEARED = `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`
/** Tells pages that something is new. */
const MARKED = expect.stringMatching(/^__Secure-siteauth\.changed=[0-9a-f]{16}; /)

let now = START
const ports = { now: () => now }

beforeEach(() => {
  now = START
})

afterEach(() => {
  vi.useRealTimers()
})

const provider = {
  id: 'credentials',
  name: 'Password',
  type: 'credentials',
  credentials: {},
  authorize: () => ({ id: 'u1', name: 'Ann', email: 'ann@example.com', image: 'a.png' }),
} as const

function setUp(config: Partial<AuthConfig> = {}) {
  const auth = createTestAuth({ providers: [provider], ports, ...config })
  return { auth, visitor: new Visitor(auth.handle) }
}

async function signedIn(config: Partial<AuthConfig> = {}) {
  const made = setUp(config)
  await made.visitor.post('/callback/credentials')
  expect(made.visitor.cookies.get(COOKIE)).toBeDefined()
  return made
}

/** A visitor who signed in with other settings than those that are read with now. */
async function returning(before: Partial<AuthConfig>, after: Partial<AuthConfig>) {
  const { visitor: earlier } = await signedIn(before)
  const made = setUp(after)
  for (const [name, value] of earlier.cookies) made.visitor.cookies.set(name, value)
  return made
}

async function read(visitor: Visitor) {
  const response = await visitor.get('/session')
  return {
    status: response.status,
    body: (await response.json()) as { expires?: string; user?: unknown } | null,
    cookies: response.headers.getSetCookie(),
  }
}

const date = (time: number) => new Date(time).toUTCString()

describe('a session in a cookie', () => {
  it('lasts 30 days from the sign-in', async () => {
    const { visitor } = setUp()
    const response = await visitor.post('/callback/credentials')
    const line = response.headers.getSetCookie().find(each => each.startsWith(COOKIE))
    expect(line).toContain(`; Expires=${date(START + 30 * DAY)}; HttpOnly; Secure; SameSite=Lax`)
    expect((await read(visitor)).body).toEqual({
      user: { name: 'Ann', email: 'ann@example.com', image: 'a.png' },
      expires: new Date(START + 30 * DAY).toISOString(),
    })
  })

  it('holds the claims that the old library puts there', async () => {
    const { visitor } = await signedIn()
    const token = visitor.cookies.get(COOKIE) ?? ''
    vi.setSystemTime(now)
    expect(await decode({ token, secret: SECRET, salt: COOKIE })).toEqual({
      name: 'Ann',
      email: 'ann@example.com',
      picture: 'a.png',
      sub: 'u1',
      iat: START / SECOND,
      exp: (START + 30 * DAY) / SECOND,
      jti: expect.any(String),
    })
  })

  it('of the old library is still one', async () => {
    now = Date.now()
    const { visitor } = setUp()
    const token = { sub: 'u1', name: 'Ann' }
    visitor.cookies.set(COOKIE, await oldEncode({ token, secret: SECRET, salt: COOKIE }))
    const { body, cookies } = await read(visitor)
    expect(body).toMatchObject({ user: { name: 'Ann' } })
    expect(cookies).toEqual([])
  })

  it('is renewed when it is a day old, and not before', async () => {
    const { visitor } = await signedIn()
    now = START + DAY - SECOND
    expect(await read(visitor)).toMatchObject({
      body: { expires: new Date(START + 30 * DAY).toISOString() },
      cookies: [],
    })
    now = START + DAY
    const renewed = await read(visitor)
    expect(renewed.body?.expires).toBe(new Date(now + 30 * DAY).toISOString())
    expect(renewed.cookies).toEqual([expect.stringContaining(`Expires=${date(now + 30 * DAY)}`)])
    expect((await read(visitor)).cookies).toEqual([])
  })

  it('is renewed at every access where updateAge is 0', async () => {
    const { visitor } = await signedIn({ session: { updateAge: 0 } })
    for (let access = 0; access < 3; access++) {
      expect((await read(visitor)).cookies).toHaveLength(1)
    }
  })

  it('that is short is renewed at half of its time, so that nobody is signed out at work', async () => {
    const { visitor } = await signedIn({ session: { maxAge: 60 } })
    now = START + 29 * SECOND
    expect((await read(visitor)).cookies).toEqual([])
    now = START + 30 * SECOND
    expect((await read(visitor)).cookies).toHaveLength(1)
  })

  it('ends when its time is over, but for 15 seconds by which clocks may differ', async () => {
    const { auth, visitor } = await signedIn({ session: { maxAge: 60 } })
    const cookie = visitor.cookieHeader()
    now = START + 74 * SECOND
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
    now = START + 75 * SECOND
    const response = await visitor.get('/session', { cookie })
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([CLEARED])
    expect(auth.errors).toEqual([])
  })

  it('ends sooner where sessions have been made shorter since', async () => {
    const { visitor } = await returning({}, { session: { maxAge: 3600 } })
    now = START + 600 * SECOND
    expect((await read(visitor)).body?.expires).toBe(new Date(START + 3600 * SECOND).toISOString())
    now = START + 3615 * SECOND
    expect(await read(visitor)).toMatchObject({ body: null, cookies: [CLEARED] })
  })

  it('keeps its end where sessions have been made longer since, until it is renewed', async () => {
    const { visitor } = await returning(
      { session: { maxAge: 3600 } },
      { session: { maxAge: 7200, updateAge: 1800 } },
    )
    now = START + 600 * SECOND
    expect((await read(visitor)).body?.expires).toBe(new Date(START + 3600 * SECOND).toISOString())
    now = START + 1800 * SECOND
    expect((await read(visitor)).body?.expires).toBe(new Date(now + 7200 * SECOND).toISOString())
  })

  it('that was sealed with the older of two secrets is renewed with the newer', async () => {
    const newer = 'n'.repeat(32)
    const { visitor } = await returning({}, { secret: [newer, SECRET] })
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
    now = START + DAY
    await read(visitor)
    const after = setUp({ secret: newer })
    after.visitor.cookies.set(COOKIE, visitor.cookies.get(COOKIE) ?? '')
    expect((await read(after.visitor)).body).toMatchObject({ user: { name: 'Ann' } })
  })

  it('that is too large for one cookie is spread over several, which vanish when it shrinks', async () => {
    let roles = 'r'.repeat(9000)
    const jwt: Callbacks['jwt'] = ({ token }) => ({ ...token, roles })
    const { visitor } = setUp({ callbacks: { jwt } })
    await visitor.post('/callback/credentials')
    const chunks = () => [...visitor.cookies.keys()].filter(name => name.startsWith(COOKIE))
    expect(chunks()).toEqual([0, 1, 2, 3].map(index => `${COOKIE}.${index}`))
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
    roles = 'r'
    const { cookies } = await read(visitor)
    expect(cookies).toHaveLength(5)
    expect(chunks()).toEqual([COOKIE])
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
  })

  it('of nobody is nothing: no cookie is set, nobody is asked', async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const session = vi.fn()
    const { auth, visitor } = setUp({ callbacks: { jwt, session } })
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [] })
    expect([...visitor.cookies]).toEqual([])
    expect(await auth.getSession({ headers: {} })).toBeNull()
    expect(jwt).not.toHaveBeenCalled()
    expect(session).not.toHaveBeenCalled()
  })
})

describe('the jwt callback', () => {
  it('is told of a sign-in who signed in, and how', async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    await signedIn({ callbacks: { jwt } })
    expect(jwt.mock.calls).toEqual([
      [
        {
          token: { name: 'Ann', email: 'ann@example.com', picture: 'a.png', sub: 'u1' },
          user: { id: 'u1', name: 'Ann', email: 'ann@example.com', image: 'a.png' },
          account: { provider: 'credentials', providerAccountId: 'u1', type: 'credentials' },
          isNewUser: false,
          trigger: 'signIn',
        },
      ],
    ])
  })

  it('is told at a read of the token, and of nothing that was not sent', async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const { visitor } = await signedIn({ callbacks: { jwt } })
    jwt.mockClear()
    await read(visitor)
    expect(jwt.mock.calls).toEqual([
      [{ token: expect.objectContaining({ sub: 'u1', iat: START / SECOND }), session: undefined }],
    ])
    expect(Object.keys(jwt.mock.calls[0]?.[0] ?? {})).toEqual(['token', 'session'])
  })

  it('that changes the token gets it stored, and only then', async () => {
    let visits = 0
    const jwt: Callbacks['jwt'] = ({ token }) => (visits ? { ...token, visits } : token)
    const session: Callbacks['session'] = ({ session, token }) => ({ ...session, ...token })
    const { visitor } = await signedIn({ callbacks: { jwt, session } })
    expect((await read(visitor)).cookies).toEqual([])
    visits = 1
    const changed = await read(visitor)
    expect(changed.cookies).toHaveLength(1)
    expect(changed.body).toMatchObject({ visits: 1 })
    expect((await read(visitor)).cookies).toEqual([])
  })

  it('may change the very object that it is given', async () => {
    let name = 'Ann'
    const jwt: Callbacks['jwt'] = ({ token }) => Object.assign(token, { name })
    const { visitor } = await signedIn({ callbacks: { jwt } })
    expect((await read(visitor)).cookies).toEqual([])
    name = 'Anna'
    expect(await read(visitor)).toMatchObject({
      body: { user: { name } },
      cookies: [expect.stringContaining(COOKIE)],
    })
  })

  it('that answers null ends the session', async () => {
    let isBanned = false
    const jwt: Callbacks['jwt'] = ({ token }) => (isBanned ? null : token)
    const { auth, visitor } = await signedIn({ callbacks: { jwt } })
    isBanned = true
    const request = { headers: { cookie: visitor.cookieHeader() }, url: SITE }
    expect(await auth.getSession(request)).toBeNull()
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [CLEARED] })
    expect(visitor.cookies.has(COOKIE)).toBe(false)
    expect(auth.errors).toEqual([])
  })

  it('that answers null at a sign-in starts none', async () => {
    const { visitor } = setUp({ callbacks: { jwt: () => null } })
    const response = await visitor.post('/callback/credentials')
    expect(response.status).toBe(302)
    expect(visitor.cookies.has(COOKIE)).toBe(false)
  })

  const failures: readonly (readonly [string, () => never])[] = [
    ['answers nothing', () => undefined as never],
    [
      'throws',
      () => {
        throw new Error('the token endpoint is down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the token endpoint is down')) as never],
    [
      'throws what is no error',
      () => {
        throw 'down'
      },
    ],
  ]

  it.each(failures)('that %s says nothing about who is signed in', async (_what, fail) => {
    let isBroken = false
    const jwt: Callbacks['jwt'] = ({ token }) => (isBroken ? fail() : token)
    const { auth, visitor } = await signedIn({ callbacks: { jwt } })
    isBroken = true
    now = START + 2 * DAY // due as well
    const { status, body, cookies } = await read(visitor)
    expect(status).toBe(503)
    expect(body).toEqual({ message: expect.any(String) })
    expect(cookies).toEqual([])
    expect(auth.errors).toHaveLength(1)
    expect(auth.errors[0]).toBeInstanceOf(JWTSessionError)

    const request = { headers: { cookie: visitor.cookieHeader() }, url: SITE }
    const thrown: unknown = await auth.getSession(request).catch(error => error)
    expect(thrown).toBeInstanceOf(AuthError)
    await expect(readWithoutRenewal(auth, request)).rejects.toBeInstanceOf(JWTSessionError)

    isBroken = false
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
  })

  it('that answers nothing is told what to answer', async () => {
    let isBroken = false
    const jwt: Callbacks['jwt'] = ({ token }) => (isBroken ? (undefined as never) : token)
    const { auth, visitor } = await signedIn({ callbacks: { jwt } })
    isBroken = true
    await read(visitor)
    expect(auth.errors[0]?.message).toContain('Return the token, or null')
  })

  it('that throws is the cause of what is logged', async () => {
    const { auth, visitor } = await signedIn({
      callbacks: {
        session: () => {
          throw new Error('no such column')
        },
      },
    })
    expect((await read(visitor)).status).toBe(503)
    expect((auth.errors[0] as AuthError).cause?.err?.message).toBe('no such column')
  })
})

describe('the session callback', () => {
  it('decides what is seen', async () => {
    const session = vi.fn(({ session, token }) => ({ ...session, id: token.sub }))
    const { visitor } = await signedIn({ callbacks: { session } })
    expect((await read(visitor)).body).toMatchObject({ id: 'u1' })
    expect(Object.keys(session.mock.calls[0]?.[0] ?? {})).toEqual(['session', 'token'])
  })

  it('that answers null hides the session without ending it', async () => {
    const session = (() => null) as unknown as Callbacks['session'] // JavaScript can
    const { visitor } = await signedIn({ callbacks: { session } })
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [] })
  })

  it.each([
    ['answers nothing', () => undefined as never],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
  ])('that %s does not end the session', async (_what, session) => {
    const { visitor } = await signedIn({ callbacks: { session } })
    now = START + 2 * DAY
    expect(await read(visitor)).toMatchObject({ status: 503, cookies: [] })
    expect(visitor.cookies.has(COOKIE)).toBe(true)
  })

  it('is followed by the event, which hears the same, and whose failure is only logged', async () => {
    const heard = vi.fn(() => {
      throw new Error('the listener is deaf')
    })
    const { auth, visitor } = await signedIn({ events: { session: heard } })
    const { status, body } = await read(visitor)
    expect(status).toBe(200)
    expect(heard.mock.calls).toEqual([
      [{ session: body, token: expect.objectContaining({ sub: 'u1' }) }],
    ])
    expect(auth.errors.map(error => error.name)).toEqual(['EventError'])
  })
})

describe('an update', () => {
  it('hands what was sent to both callbacks, and stores what they make of it', async () => {
    const jwt = vi.fn(
      ({ token, trigger, session }): JWT =>
        trigger === 'update' ? { ...token, name: session.name } : token,
    )
    const session = vi.fn(({ session }) => session)
    const { visitor } = await signedIn({ callbacks: { jwt, session } })
    jwt.mockClear()
    now = START + 60 * SECOND
    const data = { name: 'Anna', admin: true }
    const response = await visitor.postJson('/session', { data })
    expect(await response.json()).toEqual({
      user: { name: 'Anna', email: 'ann@example.com', image: 'a.png' },
      expires: new Date(now + 30 * DAY).toISOString(),
    })
    expect(response.headers.getSetCookie()).toEqual([expect.anything(), MARKED])
    expect(jwt).toHaveBeenCalledWith({
      token: expect.objectContaining({ sub: 'u1' }),
      trigger: 'update',
      session: data,
    })
    expect(session).toHaveBeenCalledWith(
      expect.objectContaining({ newSession: data, trigger: 'update' }),
    )
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Anna' } })
  })

  it('changes nothing by itself', async () => {
    const { visitor } = await signedIn()
    await visitor.postJson('/session', { data: { user: { name: 'Mallory' }, sub: 'u2' } })
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
  })

  it('of nobody is null', async () => {
    const { visitor } = setUp()
    const response = await visitor.postJson('/session', { data: {} })
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('ends the session where the callback answers null', async () => {
    const jwt: Callbacks['jwt'] = ({ token, trigger }) => (trigger === 'update' ? null : token)
    const { visitor } = await signedIn({ callbacks: { jwt } })
    const response = await visitor.postJson('/session', {})
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([CLEARED, MARKED])
  })

  it('that fails leaves the cookie alone', async () => {
    const jwt: Callbacks['jwt'] = ({ token, trigger }) => {
      if (trigger === 'update') throw new Error('down')
      return token
    }
    const { visitor } = await signedIn({ callbacks: { jwt } })
    const response = await visitor.postJson('/session', {})
    expect(response.status).toBe(503)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('reading by function', () => {
  it('seals nothing that the answer could not carry', async () => {
    const sealing = vi.fn(encode)
    const jwt: Callbacks['jwt'] = ({ token }) => ({ ...token, changed: now })
    const { auth, visitor } = await signedIn({
      jwt: { encode: sealing },
      callbacks: { jwt },
      session: { updateAge: 0 },
    })
    now = Date.now() // what the application's own sealing goes by
    await visitor.post('/callback/credentials')
    sealing.mockClear()
    const headers = { cookie: visitor.cookieHeader() }
    const [finished, request] = [
      { headers, url: SITE },
      { headers, url: SITE },
    ]
    expect(await readWithoutRenewal(auth, finished)).toMatchObject({ user: { name: 'Ann' } })
    expect(sealing).not.toHaveBeenCalled()
    await auth.getSession(request)
    expect(auth.takeSetCookies(request)).toHaveLength(1)
    expect(sealing).toHaveBeenCalledTimes(1)
  })

  it('renews when it is due and cookies can be sent', async () => {
    const { auth, visitor } = await signedIn()
    const request = () => ({ headers: { cookie: visitor.cookieHeader() }, url: SITE })
    const [early, due] = [request(), request()]
    await auth.getSession(early)
    expect(auth.takeSetCookies(early)).toEqual([])
    now = START + DAY
    const session = await auth.getSession(due)
    expect(session?.expires).toBe(new Date(now + 30 * DAY).toISOString())
    const renewed = expect.stringContaining(`Expires=${date(now + 30 * DAY)}`)
    expect(auth.takeSetCookies(due)).toEqual([renewed])
    expect(await readWithoutRenewal(auth, request())).toMatchObject({
      expires: new Date(START + 30 * DAY).toISOString(),
    })
  })

  it('answers what GET session answers', async () => {
    const { auth, visitor } = await signedIn()
    const headers = new Headers({ cookie: visitor.cookieHeader(), host: 'app.example.com' })
    const url = 'https://app.example.com/anything'
    expect(await auth.getSession({ headers, url })).toEqual((await read(visitor)).body)
    expect(await auth.getSession(new Request(url, { headers }))).toEqual((await read(visitor)).body)
  })
})

describe("the application's own way to seal", () => {
  it('is used for sessions, with everything it needs to know', async () => {
    const own = {
      encode: vi.fn(({ token }) => `sealed:${JSON.stringify(token)}`),
      decode: vi.fn(({ token = '' }) => JSON.parse(token.slice('sealed:'.length))),
    }
    const { visitor } = await signedIn({ jwt: own })
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
    const common = { secret: SECRET, maxAge: (30 * DAY) / SECOND, salt: COOKIE }
    expect(own.encode).toHaveBeenCalledWith(expect.objectContaining(common))
    expect(own.decode).toHaveBeenCalledWith(
      expect.objectContaining({ ...common, token: expect.stringMatching(/^sealed:/) }),
    )
  })

  it.each([
    ['answers null', () => null],
    [
      'throws',
      () => {
        throw new Error('not mine')
      },
    ],
  ])('that %s has found no session: the cookie goes', async (_what, own) => {
    const { visitor } = await returning({}, { jwt: { decode: own } })
    expect(await read(visitor)).toMatchObject({ status: 200, body: null, cookies: [CLEARED] })
  })

  it('may have a secret of its own', async () => {
    const { visitor } = await signedIn({ jwt: { secret: 'j'.repeat(32) } })
    expect((await read(visitor)).body).toMatchObject({ user: { name: 'Ann' } })
    const other = setUp()
    other.visitor.cookies.set(COOKIE, visitor.cookies.get(COOKIE) ?? '')
    expect((await read(other.visitor)).body).toBeNull()
  })
})
