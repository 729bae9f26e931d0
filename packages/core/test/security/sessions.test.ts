import { getToken } from '@siteauth/core/jwt'
import { describe, expect, it, vi } from 'vitest'
import {
  ANN,
  BOB,
  CALLBACK_COOKIE,
  CSRF_COOKIE,
  createApplication,
  everybodyIs,
  ORIGIN,
  SESSION_COOKIE,
  signedIn,
  signIn,
  writtenCookies,
} from '../spec/application.ts'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { SECRET } from '../visitor.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

describe('A session token that was planted', () => {
  it('and is not known is replaced at sign-in (jwt)', async () => {
    const visitor = createApplication().visitor()
    visitor.cookies.set(SESSION_COOKIE, 'planted')
    await signIn(visitor)
    expect(visitor.cookies.get(SESSION_COOKIE)).not.toBe('planted')
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('and belongs to an attacker is replaced at sign-in, and stays the attacker’s (jwt)', async () => {
    const application = createApplication()
    const attacker = await signedIn(application, BOB)
    const planted = attacker.cookies.get(SESSION_COOKIE) ?? ''
    const victim = application.visitor()
    victim.cookies.set(SESSION_COOKIE, planted)
    await signIn(victim, ANN)
    expect(victim.cookies.get(SESSION_COOKIE)).not.toBe(planted)
    expect(await victim.session()).toMatchObject({ user: { name: 'Ann' } })
    expect(await attacker.session()).toMatchObject({ user: { name: 'Bob' } })
  })

  it('and is not known is replaced at sign-in, and no row has its name (database)', async () => {
    const { adapter, sessions } = memoryAdapter([ANN, BOB])
    const application = createApplication({ adapter })
    const visitor = application.visitor()
    visitor.cookies.set(SESSION_COOKIE, 'planted')
    await signIn(visitor)
    expect(visitor.cookies.get(SESSION_COOKIE)).not.toBe('planted')
    expect(sessions.has('planted')).toBe(false)
    expect(application.errors).toEqual([])
  })

  it('and belongs to an attacker is dead after the sign-in, and was never the victim’s (database)', async () => {
    const { adapter, sessions } = memoryAdapter([ANN, BOB])
    const application = createApplication({ adapter })
    const attacker = await signedIn(application, BOB)
    const planted = attacker.cookies.get(SESSION_COOKIE) ?? ''
    const victim = application.visitor()
    victim.cookies.set(SESSION_COOKIE, planted)
    await signIn(victim, ANN)
    expect(sessions.has(planted)).toBe(false)
    application.clock.advance(30)
    expect(await attacker.session()).toBeNull()
    expect(await victim.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('in pieces is removed piece by piece', async () => {
    for (const config of [{}, { adapter: memoryAdapter([ANN]).adapter }]) {
      const visitor = createApplication(config).visitor()
      for (const index of [0, 1, 2, 7]) visitor.cookies.set(`${SESSION_COOKIE}.${index}`, 'planted')
      await signIn(visitor)
      const names = [...visitor.cookies.keys()].filter(name => name.startsWith(SESSION_COOKIE))
      expect(names).toEqual([SESSION_COOKIE])
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    }
  })

  it('is no way around signing in: a failed attempt changes nothing', async () => {
    const { adapter, sessions } = memoryAdapter([ANN, BOB])
    const application = createApplication({ adapter })
    const attacker = await signedIn(application, BOB)
    const victim = application.visitor()
    victim.cookies.set(SESSION_COOKIE, attacker.cookies.get(SESSION_COOKIE) ?? '')
    await signIn(victim, ANN, { password: 'wrong' })
    expect([...sessions.values()].map(each => each.userId)).toEqual([BOB.id])
  })
})

describe('Somebody who signs in again', () => {
  it('gets a new token each time (jwt)', async () => {
    const visitor = await signedIn(createApplication())
    const first = visitor.cookies.get(SESSION_COOKIE)
    await signIn(visitor)
    expect(visitor.cookies.get(SESSION_COOKIE)).not.toBe(first)
  })

  it('gets a new token each time, and the earlier one is dead (database)', async () => {
    const { adapter, sessions } = memoryAdapter([ANN])
    const application = createApplication({ adapter })
    const visitor = await signedIn(application)
    const first = visitor.cookies.get(SESSION_COOKIE) ?? ''
    await signIn(visitor)
    expect(visitor.cookies.get(SESSION_COOKIE)).not.toBe(first)
    expect(sessions.has(first)).toBe(false)
    application.clock.advance(30)
    const headers = { cookie: `${SESSION_COOKIE}=${first}` }
    expect(await application.getSession({ headers, url: ORIGIN })).toBeNull()
  })

  it('in another browser keeps both sessions', async () => {
    const { adapter, sessions } = memoryAdapter([ANN])
    const application = createApplication({ adapter })
    const [here, there] = [await signedIn(application), await signedIn(application)]
    expect(sessions.size).toBe(2)
    await here.post('/signout')
    expect(await here.session()).toBeNull()
    expect(await there.session()).toMatchObject({ user: { name: 'Ann' } })
  })
})

describe('Signing out', () => {
  const large = createApplication({
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, groups: 'g'.repeat(9000) } : token),
    },
  })

  it('removes every piece of the session, and the next read is null', async () => {
    const visitor = await signedIn(large)
    expect(
      [...visitor.cookies.keys()].filter(name => name.startsWith(SESSION_COOKIE)),
    ).toHaveLength(4)
    await visitor.post('/signout')
    expect([...visitor.cookies.keys()].filter(name => name.startsWith(SESSION_COOKIE))).toEqual([])
    expect(await visitor.session()).toBeNull()
  })

  it('removes pieces that are left from before as well', async () => {
    const visitor = await signedIn(createApplication())
    for (const index of [0, 1, 9]) visitor.cookies.set(`${SESSION_COOKIE}.${index}`, 'stale')
    await visitor.post('/signout')
    expect([...visitor.cookies.keys()].filter(name => name.startsWith(SESSION_COOKIE))).toEqual([])
  })

  it('kills a database session at once, for whoever has the token', async () => {
    const { adapter } = memoryAdapter([ANN])
    const application = createApplication({ adapter })
    const visitor = await signedIn(application)
    const stolen = visitor.cookieHeader()
    await visitor.post('/signout')
    const request = { headers: { cookie: stolen }, url: ORIGIN }
    expect(await application.getSession(request)).toBeNull()
  })

  it('leaves a JWT valid until it ends, unless the jwt callback says otherwise', async () => {
    const ended = new Set<unknown>()
    const application = createApplication({
      providers: [everybodyIs(ANN)],
      callbacks: { jwt: ({ token }) => (ended.has(token.jti) ? null : token) },
      events: {
        signOut(message) {
          if ('token' in message) ended.add(message.token?.jti)
        },
      },
    })
    const visitor = await signedIn(application)
    const stolen = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
    expect(await application.getSession(stolen)).toBeTruthy()
    await visitor.post('/signout')
    expect(await application.getSession(stolen)).toBeNull()
  })
})

describe('A read that is under way while somebody signs out', () => {
  /** A point at which a request waits until it is let go. */
  function gate() {
    let open: () => void = () => {}
    let arrive: () => void = () => {}
    const opened = new Promise<void>(resolve => {
      open = resolve
    })
    const arrived = new Promise<void>(resolve => {
      arrive = resolve
    })
    return {
      arrived,
      open,
      async pass(): Promise<void> {
        arrive()
        await opened
      },
    }
  }

  it('does not bring the session back (jwt)', async () => {
    const { arrived, open, pass } = gate()
    let isWaiting = false
    const application = createApplication({
      callbacks: {
        async session({ session }) {
          if (isWaiting) await pass()
          return session
        },
      },
    })
    const visitor = await signedIn(application)
    isWaiting = true
    const reading = visitor.get('/session')
    await arrived
    await visitor.post('/signout')
    open()
    expect(writtenCookies(await reading)).toEqual([])
    isWaiting = false
    expect(await visitor.session()).toBeNull()
  })

  it.each([
    ['not due', 86_400],
    ['due', 0],
  ])('does not bring the session back, %s (database)', async (_, updateAge) => {
    const { arrived, open, pass } = gate()
    const store = memoryAdapter([ANN])
    let isWaiting = false
    const application = createApplication({
      session: { updateAge },
      adapter: {
        ...store.adapter,
        async getSessionAndUser(token) {
          const found = await store.adapter.getSessionAndUser(token)
          if (isWaiting) await pass()
          return found
        },
      },
    })
    const visitor = await signedIn(application)
    isWaiting = true
    const reading = visitor.get('/session')
    await arrived
    isWaiting = false
    await visitor.post('/signout')
    expect(store.sessions.size).toBe(0)
    open()
    await reading
    expect(store.sessions.size).toBe(0)
    expect(await visitor.session()).toBeNull()
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
  })
})

describe('A session row that has ended', () => {
  it('is not brought back by reading it', async () => {
    const { adapter, sessions, calls } = memoryAdapter([ANN])
    const application = createApplication({ adapter, session: { maxAge: 60, updateAge: 0 } })
    const visitor = await signedIn(application)
    const stolen = visitor.cookieHeader()
    application.clock.advance(60)
    calls.length = 0
    const response = await visitor.get('/session')
    expect(await response.json()).toBeNull()
    expect(calls).toEqual(['getSessionAndUser', 'deleteSession'])
    expect(writtenCookies(response).every(each => each.attributes['max-age'] === '0')).toBe(true)
    expect(sessions.size).toBe(0)
    expect(await application.getSession({ headers: { cookie: stolen }, url: ORIGIN })).toBeNull()
  })

  it('is not brought back by an update or a sign-out', async () => {
    const { adapter, sessions } = memoryAdapter([ANN])
    const application = createApplication({ adapter, session: { maxAge: 60 } })
    for (const path of ['/session', '/signout']) {
      const visitor = await signedIn(application)
      application.clock.advance(61)
      await visitor.postJson(path, { data: 1 })
      expect(sessions.size).toBe(0)
    }
  })
})

describe('A token that was changed', () => {
  it('in any one character is no session', async () => {
    const application = createApplication()
    const visitor = await signedIn(application)
    const token = visitor.cookies.get(SESSION_COOKIE) ?? ''
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const cookie = `${SESSION_COOKIE}=${token.slice(0, at)}${other}${token.slice(at + 1)}`
      const session = await application.getSession({ headers: { cookie }, url: ORIGIN })
      expect(session, `character ${at}`).toBeNull()
    }
  })

  it('in length is no session', async () => {
    const application = createApplication()
    const token = (await signedIn(application)).cookies.get(SESSION_COOKIE) ?? ''
    for (const changed of [
      `${token}A`,
      `${token}=`,
      `${token}.`,
      `A${token}`,
      `.${token}`,
      token.slice(0, -1),
      token.slice(1),
      token.replace('..', '.'),
      token.replace('..', '...'),
      `${token}${token}`,
      `${token}, ${token}`,
    ]) {
      const headers = { cookie: `${SESSION_COOKIE}=${changed}` }
      expect(await application.getSession({ headers, url: ORIGIN })).toBeNull()
    }
  })
})

describe('What was made for another purpose', () => {
  it('is no session', async () => {
    const application = createApplication({ callbacks: { redirect: ({ url }) => url } })
    const visitor = application.visitor()
    await visitor.get('/signin?callbackUrl=https://docs.example.org')
    await visitor.csrfToken()
    for (const name of [CSRF_COOKIE, CALLBACK_COOKIE]) {
      const headers = { cookie: `${SESSION_COOKIE}=${visitor.cookies.get(name)}` }
      expect(visitor.cookies.has(name)).toBe(true)
      expect(await application.getSession({ headers, url: ORIGIN })).toBeNull()
    }
  })

  it('and a session is no token for forms', async () => {
    const visitor = await signedIn(createApplication())
    const token = visitor.cookies.get(SESSION_COOKIE) ?? ''
    visitor.cookies.set(CSRF_COOKIE, token)
    const body = new URLSearchParams({ csrfToken: token })
    const response = await visitor.send('/signout', { method: 'POST', body })
    expect(response.headers.get('location')).toContain('MissingCSRF')
  })

  it('a JWT of the http cookie does not open as that of https', async () => {
    const application = createApplication()
    const plain = application.visitor('http://app.example.com/auth')
    await signIn(plain)
    const token = plain.cookies.get('authjs.session-token')
    const headers = { cookie: `${SESSION_COOKIE}=${token}` }
    expect(await application.getSession({ headers, url: ORIGIN })).toBeNull()
  })
})

describe('A bearer token that is none', () => {
  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer %',
    'Bearer %A',
    'Bearer %ZZ',
    'Bearer undefined',
    'Bearer null',
    'bearer x',
    'Bearer  x',
    'Bearer a.b.c.d',
    'Bearer a.b.c.d.e.f',
    'Bearer ..',
    'Bearer !!!.???.***.+++.///',
    'Basic YTpi',
    `Bearer ${'x'.repeat(100_000)}`,
    'Bearer x, Bearer y',
  ])('is nobody: %j', async authorization => {
    const req = new Request(ORIGIN, { headers: { authorization } })
    expect(await getToken({ req, secret: SECRET, secureCookie: true })).toBeNull()
    const plain = { headers: { authorization: `${authorization}\0` } }
    expect(await getToken({ req: plain, secret: SECRET })).toBeNull()
  })

  it('does not stand in for the cookie at the door', async () => {
    const application = createApplication()
    const token = (await signedIn(application)).cookies.get(SESSION_COOKIE)
    const headers = { authorization: `Bearer ${token}` }
    expect(await (await application.visitor().get('/session', headers)).json()).toBeNull()
  })
})

describe('A library that cannot know who is there', () => {
  it('never says that somebody is: it throws, or says that nobody is', async () => {
    const { adapter } = memoryAdapter([ANN])
    const working = createApplication({ adapter })
    const cookie = (await signedIn(working)).cookieHeader()
    const request = { headers: { cookie }, url: ORIGIN }
    function broken(): never {
      throw new Error('out of order')
    }
    const faulty = [
      createApplication({ secret: [''] }),
      createApplication({ providers: [broken as never] }),
      createApplication({ session: { strategy: 'database' } }),
      createApplication({ session: { maxAge: -1 } }),
      createApplication({ trustHost: false }),
      createApplication({ adapter: { ...adapter, getSessionAndUser: broken } }),
      createApplication({ adapter, callbacks: { session: broken } }),
      createApplication({ jwt: { decode: broken } }),
    ]
    for (const application of faulty) {
      const answer = await application.getSession(request).catch(() => null)
      expect(answer).toBeNull()
      const response = await application.handle(new Request(`${ORIGIN}/auth/session`, request))
      const body: unknown = await response.json()
      if (response.status === 200) expect(body).toBeNull()
      else expect(body).not.toHaveProperty('user')
    }
  })
})
