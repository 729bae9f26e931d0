import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestAuth, readWithoutRenewal, Visitor } from '../../../../test/visitor.ts'
import type { Adapter, AdapterSession, AdapterUser, SessionRenewal } from '../../base/adapter.ts'
import type { Callbacks } from '../../base/callbacks.ts'
import { AdapterError, type AuthError, SessionTokenError, SignOutError } from '../../base/errors.ts'
import type { AuthConfig } from '../../config/options.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND
const START = Date.UTC(2030, 0, 1)
const COOKIE = '__Secure-authjs.session-token'
const CLEARED = `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`
const ANN: AdapterUser = {
  id: 'u1',
  name: 'Ann',
  email: 'ann@example.com',
  image: null,
  emailVerified: null,
}

let now = START
const ports = { now: () => now }

beforeEach(() => {
  now = START
})

/** A store with one user, whose sessions can be looked at. */
function store() {
  const rows = new Map<string, AdapterSession>()
  const unused = () => {
    throw new Error('not needed here')
  }
  const adapter = {
    createUser: unused,
    getUser: async id => (id === ANN.id ? ANN : null),
    getUserByEmail: unused,
    getUserByAccount: unused,
    updateUser: unused,
    linkAccount: unused,
    createSession: vi.fn(async session => {
      rows.set(session.sessionToken, session)
      return session
    }),
    getSessionAndUser: vi.fn(async token => {
      const session = rows.get(token)
      return session ? { session: { ...session }, user: { ...ANN } } : null
    }),
    updateSession: vi.fn(async changes => {
      const session = rows.get(changes.sessionToken)
      if (session) rows.set(session.sessionToken, { ...session, ...changes })
      return rows.get(changes.sessionToken)
    }),
    deleteSession: vi.fn(async token => {
      const session = rows.get(token) ?? null
      rows.delete(token)
      return session
    }),
  } satisfies Adapter
  return { rows, adapter }
}

function setUp(config: Partial<AuthConfig> = {}) {
  const { rows, adapter } = store()
  const auth = createTestAuth({ adapter, ports, ...config })
  const visitor = new Visitor(auth.handle)
  /** A session as a sign-in would have left it. */
  const begin = (maxAge = 30 * DAY, sessionToken = 'row-1') => {
    rows.set(sessionToken, { sessionToken, userId: ANN.id, expires: new Date(now + maxAge) })
    visitor.cookies.set(COOKIE, sessionToken)
  }
  const request = () => ({
    headers: { cookie: visitor.cookieHeader() },
    url: 'https://app.example.com',
  })
  return { auth, visitor, rows, adapter, begin, request }
}

async function read(visitor: Visitor) {
  const response = await visitor.get('/session')
  return {
    status: response.status,
    body: (await response.json()) as { expires?: string } | null,
    cookies: response.headers.getSetCookie(),
  }
}

describe('a session in a database', () => {
  it('shows name, email and image of its user, and when it ends', async () => {
    const { visitor, begin } = setUp()
    begin()
    expect((await read(visitor)).body).toEqual({
      user: { name: 'Ann', email: 'ann@example.com', image: null },
      expires: new Date(START + 30 * DAY).toISOString(),
    })
  })

  it('starts as a row, whose token is all that the cookie holds', async () => {
    const { visitor, rows } = setUp({
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: () => ({ id: 'u1' }),
        },
      ],
      session: { strategy: 'database', maxAge: 3600, generateSessionToken: () => 'own-token' },
    })
    const response = await visitor.post('/callback/credentials')
    const expires = new Date(START + 3600 * SECOND)
    expect([...rows.values()]).toEqual([{ sessionToken: 'own-token', userId: 'u1', expires }])
    expect(response.headers.getSetCookie()).toContain(
      `${COOKIE}=own-token; Path=/; Expires=${expires.toUTCString()}; HttpOnly; Secure; SameSite=Lax`,
    )
  })

  it('is renewed when it is a day old, row and cookie together, and not before', async () => {
    const { visitor, rows, adapter, begin } = setUp()
    begin()
    now = START + DAY - SECOND
    expect((await read(visitor)).cookies).toEqual([])
    expect(adapter.updateSession).not.toHaveBeenCalled()
    now = START + DAY
    const expires = new Date(now + 30 * DAY)
    const renewed = await read(visitor)
    expect(renewed.body?.expires).toBe(expires.toISOString())
    expect(renewed.cookies).toEqual([
      `${COOKIE}=row-1; Path=/; Expires=${expires.toUTCString()}; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect(adapter.updateSession.mock.calls).toEqual([[{ sessionToken: 'row-1', expires }]])
    expect(rows.get('row-1')?.expires).toEqual(expires)
    await read(visitor)
    expect(adapter.updateSession).toHaveBeenCalledTimes(1)
  })

  it('is renewed at every access where updateAge is 0', async () => {
    const { visitor, adapter, begin } = setUp({ session: { updateAge: 0 } })
    begin()
    for (let access = 1; access <= 3; access++) {
      expect((await read(visitor)).cookies).toHaveLength(1)
      expect(adapter.updateSession).toHaveBeenCalledTimes(access)
    }
  })

  it('that is short is renewed at half of its time', async () => {
    const { visitor, begin } = setUp({ session: { maxAge: 60 } })
    begin(60 * SECOND)
    now = START + 29 * SECOND
    expect((await read(visitor)).cookies).toEqual([])
    now = START + 30 * SECOND
    expect((await read(visitor)).cookies).toHaveLength(1)
  })

  it('is made shorter where sessions have become shorter since', async () => {
    const { visitor, rows, begin } = setUp({ session: { maxAge: 3600 } })
    begin(30 * DAY)
    expect((await read(visitor)).body?.expires).toBe(new Date(START + 3600 * SECOND).toISOString())
    expect(rows.get('row-1')?.expires).toEqual(new Date(START + 3600 * SECOND))
  })

  it('is made shorter also by a read that can set no cookie', async () => {
    const { auth, rows, begin, request } = setUp({ session: { maxAge: 3600 } })
    begin(30 * DAY)
    const ends = new Date(START + 3600 * SECOND)
    expect(await readWithoutRenewal(auth, request())).toMatchObject({ expires: ends.toISOString() })
    expect(rows.get('row-1')?.expires).toEqual(ends)
    now = START + 3600 * SECOND
    expect(await readWithoutRenewal(auth, request())).toBeNull()
    expect([...rows]).toEqual([])
  })

  it('that has ended is removed and never extended, and nobody is asked about it', async () => {
    const session = vi.fn()
    const heard = vi.fn()
    const { auth, visitor, rows, adapter, begin, request } = setUp({
      callbacks: { session },
      events: { session: heard },
    })
    begin(60 * SECOND)
    now = START + 60 * SECOND
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [CLEARED] })
    expect([...rows]).toEqual([])
    begin(-1)
    expect(await auth.getSession(request())).toBeNull()
    expect(adapter.updateSession).not.toHaveBeenCalled()
    expect(session).not.toHaveBeenCalled()
    expect(heard).not.toHaveBeenCalled()
  })

  it('that is not there is nobody, and its cookie goes', async () => {
    const { auth, visitor } = setUp()
    visitor.cookies.set(COOKIE, 'unknown')
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [CLEARED] })
    expect(auth.errors).toEqual([])
  })

  it('of a visitor without a cookie is not looked for', async () => {
    const { visitor, adapter } = setUp()
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [] })
    expect(adapter.getSessionAndUser).not.toHaveBeenCalled()
  })
})

describe('a store that renews a session while it reads it', () => {
  function setUpRenewing() {
    const given = setUp()
    const getAndRenewSession = vi.fn(async (token: string, renewal: SessionRenewal) => {
      const found = await given.adapter.getSessionAndUser(token)
      if (!found) return null
      const end = found.session.expires
      const isRenewed = end > renewal.now && (end <= renewal.dueUntil || end > renewal.dueAfter)
      const session = { ...found.session, expires: isRenewed ? renewal.expires : end }
      given.rows.set(token, session)
      return { session, user: found.user, isRenewed }
    })
    const auth = createTestAuth({ adapter: { ...given.adapter, getAndRenewSession }, ports })
    const visitor = new Visitor(auth.handle)
    visitor.cookies.set(COOKIE, 'row-1')
    given.begin()
    return { ...given, auth, visitor, getAndRenewSession }
  }

  it('is asked once, and the cookie follows what it answers', async () => {
    const { visitor, rows, adapter, getAndRenewSession } = setUpRenewing()
    expect((await read(visitor)).cookies).toEqual([])
    now = START + DAY
    const expires = new Date(now + 30 * DAY)
    const renewed = await read(visitor)
    expect(renewed.body?.expires).toBe(expires.toISOString())
    expect(renewed.cookies).toEqual([
      `${COOKIE}=row-1; Path=/; Expires=${expires.toUTCString()}; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect(rows.get('row-1')?.expires).toEqual(expires)
    expect(getAndRenewSession).toHaveBeenCalledTimes(2)
    expect(adapter.updateSession).not.toHaveBeenCalled()
  })

  it('is only read from where no cookie can be sent', async () => {
    const { auth, request, getAndRenewSession } = setUpRenewing()
    now = START + 2 * DAY
    expect(await readWithoutRenewal(auth, request())).toMatchObject({ user: { name: 'Ann' } })
    expect(getAndRenewSession).not.toHaveBeenCalled()
  })

  it('has a session that ended removed', async () => {
    const { visitor, rows } = setUpRenewing()
    now = START + 30 * DAY
    expect(await read(visitor)).toEqual({ status: 200, body: null, cookies: [CLEARED] })
    expect([...rows]).toEqual([])
  })

  it('that fails says nothing about who is signed in', async () => {
    const { visitor, getAndRenewSession } = setUpRenewing()
    getAndRenewSession.mockRejectedValue(new Error('connection refused'))
    expect(await read(visitor)).toMatchObject({ status: 503, cookies: [] })
  })
})

describe('the callbacks', () => {
  it('receive row and user, and never a token', async () => {
    const jwt = vi.fn(({ token }) => token)
    const session = vi.fn(({ session }) => session)
    const { visitor, begin } = setUp({ callbacks: { jwt, session } })
    begin()
    await read(visitor)
    expect(jwt).not.toHaveBeenCalled()
    const [params] = session.mock.calls[0] ?? []
    expect(Object.keys(params)).toEqual(['session', 'user', 'newSession'])
    expect(params).toMatchObject({
      session: { userId: 'u1', expires: new Date(START + 30 * DAY), user: ANN },
      user: ANN,
      newSession: undefined,
    })
  })

  it('that answer the session as it is do not show its token to scripts', async () => {
    const session: Callbacks['session'] = ({ session }) =>
      ({ ...session, own: session.sessionToken.length }) as never
    const { visitor, begin } = setUp({ callbacks: { session } })
    begin()
    const { body } = await read(visitor)
    expect(body).toMatchObject({ userId: 'u1', own: 5 })
    expect(JSON.stringify(body)).not.toContain('row-1')
  })

  it('receive what was sent with an update, which by itself changes nothing', async () => {
    const session = vi.fn(({ session }) => session)
    const { visitor, rows, begin } = setUp({ callbacks: { session } })
    begin()
    const before = { ...rows.get('row-1') }
    await visitor.postJson('/session', { data: { name: 'Mallory' } })
    expect(session).toHaveBeenCalledWith(
      expect.objectContaining({ newSession: { name: 'Mallory' }, trigger: 'update' }),
    )
    expect(rows.get('row-1')).toEqual(before)
  })

  it('are followed by the event, which hears no token', async () => {
    const heard = vi.fn()
    const { visitor, begin } = setUp({ events: { session: heard } })
    begin()
    const { body } = await read(visitor)
    expect(heard.mock.calls).toEqual([[{ session: body }]])
  })
})

describe('reading by function', () => {
  it('writes to the database only if the cookie can be renewed, too', async () => {
    const { auth, adapter, begin, request } = setUp({ session: { updateAge: 0 } })
    begin()
    now = START + 2 * DAY
    expect(await readWithoutRenewal(auth, request())).toMatchObject({ user: { name: 'Ann' } })
    expect(adapter.updateSession).not.toHaveBeenCalled()
    const due = request()
    const session = await auth.getSession(due)
    expect(session?.expires).toBe(new Date(now + 30 * DAY).toISOString())
    expect(auth.takeSetCookies(due)).toHaveLength(1)
    expect(adapter.updateSession).toHaveBeenCalledTimes(1)
  })
})

describe('a database that is down', () => {
  it('says nothing about who is signed in', async () => {
    const { auth, visitor, adapter, begin, request } = setUp()
    begin()
    adapter.getSessionAndUser.mockRejectedValue(new Error('connection refused'))
    const { status, cookies } = await read(visitor)
    expect(status).toBe(503)
    expect(cookies).toEqual([])
    expect(visitor.cookies.get(COOKIE)).toBe('row-1')
    expect(auth.errors).toHaveLength(1)
    const [logged] = auth.errors as AuthError[]
    const cause = logged?.cause?.err as AuthError | undefined
    expect(logged).toBeInstanceOf(SessionTokenError)
    expect(cause).toBeInstanceOf(AdapterError)
    expect(cause?.cause?.err?.message).toBe('connection refused')
    await expect(auth.getSession(request())).rejects.toBeInstanceOf(SessionTokenError)
  })

  it('does not send a longer cookie than the row that it could not extend', async () => {
    const { visitor, adapter, begin } = setUp()
    begin()
    now = START + 2 * DAY
    adapter.updateSession.mockRejectedValue(new Error('read only'))
    expect(await read(visitor)).toMatchObject({ status: 503, cookies: [] })
  })

  it('lets a visitor leave all the same', async () => {
    const { auth, visitor, adapter, begin } = setUp()
    begin()
    adapter.deleteSession.mockRejectedValue(new Error('connection refused'))
    const response = await visitor.post('/signout')
    expect(response.headers.getSetCookie()).toContain(CLEARED)
    expect(auth.errors).toHaveLength(1)
    expect(auth.errors[0]).toBeInstanceOf(SignOutError)
  })

  it('tells a visitor whose session could not be ended', async () => {
    const { visitor, adapter, begin } = setUp()
    begin()
    adapter.deleteSession.mockRejectedValue(new Error('read only'))
    const response = await visitor.post('/signout')
    expect(response.headers.get('location')).toContain('/error?error=Configuration')
  })
})

describe('signing out', () => {
  it('removes row and cookie, so that a copy of the cookie is worthless', async () => {
    const heard = vi.fn()
    const { auth, visitor, rows, begin, request } = setUp({ events: { signOut: heard } })
    begin()
    const row = rows.get('row-1')
    const copy = request()
    await visitor.post('/signout')
    expect([...rows]).toEqual([])
    expect(visitor.cookies.has(COOKIE)).toBe(false)
    expect(await auth.getSession(copy)).toBeNull()
    expect(heard).toHaveBeenCalledWith({ session: row })
  })
})
