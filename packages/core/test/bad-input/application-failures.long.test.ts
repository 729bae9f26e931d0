import type { AuthConfig } from '@siteauth/core'
import { AdapterError, AuthError, EventError } from '@siteauth/core/errors'
import Credentials from '@siteauth/core/providers/credentials'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  ANN,
  BOB,
  configFor,
  createApplication,
  ORIGIN,
  passwords,
  SESSION_COOKIE,
  STRATEGIES,
  signedIn,
  signIn,
  writtenCookies,
} from '../spec/application.ts'
import { type MemoryAdapter, memoryAdapter } from '../spec/memory-adapter.ts'
import { watchRejections } from './door.ts'

const unheard = watchRejections()
afterAll(async () => expect(await unheard()).toEqual([]))

/** What an application may throw, if it is careless. */
const THROWN: [what: string, value: unknown][] = [
  ['an error', new Error('out of order')],
  ['an error whose message is empty', new Error('')],
  ['an error with a cause that goes in a circle', circular()],
  ['an error of a type of its own', Object.assign(new Error('no'), { type: '__proto__' })],
  ['an aggregate', new AggregateError([new Error('one'), new Error('two')])],
  ['a text', 'out of order'],
  ['nothing', undefined],
  ['null', null],
  ['a number', 42],
  ['a symbol', Symbol('out of order')],
  ['a response', new Response('out of order', { status: 418 })],
  ['an object without a prototype', Object.create(null)],
  ['an object that cannot be text', { toString: () => fail(new Error('no text')) }],
  ['a frozen error', Object.freeze(new Error('out of order'))],
  ['a proxy', new Proxy(new Error('out of order'), {})],
]

function circular(): Error {
  const error = new Error('out of order')
  error.cause = error
  return error
}

function fail(value: unknown): never {
  throw value
}

describe.each(THROWN)('An application that throws %s', (_, value) => {
  it('from authorize: leads to the error page, and the next sign-in works', async () => {
    let isBroken = true
    const application = createApplication({
      providers: [Credentials({ authorize: () => (isBroken ? fail(value) : { ...ANN }) })],
    })
    const visitor = application.visitor()
    const response = await signIn(visitor)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(application.errors).toHaveLength(1)
    expect(application.errors[0]).toBeInstanceOf(Error)
    isBroken = false
    await signIn(visitor)
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('from authorize, later: is the same', async () => {
    const authorize = async () => {
      await new Promise(resolve => setTimeout(resolve, 1))
      return fail(value)
    }
    const application = createApplication({ providers: [Credentials({ authorize })] })
    const response = await signIn(application.visitor())
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
  })

  it('from the signIn callback: refuses', async () => {
    const application = createApplication({ callbacks: { signIn: () => fail(value) } })
    const visitor = application.visitor()
    const response = await signIn(visitor)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toMatch(/\/auth\/error\?error=\w+$/)
    expect(await visitor.session()).toBeNull()
    expect(application.errors).toHaveLength(1)
  })

  it('from the jwt callback at sign-in: signs nobody in', async () => {
    const application = createApplication({ callbacks: { jwt: () => fail(value) } })
    const visitor = application.visitor()
    const response = await signIn(visitor)
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it.each(STRATEGIES)(
    'from the session callback: is 503, keeps the session, and the next read works (%s)',
    async strategy => {
      let isBroken = false
      const application = createApplication({
        ...configFor(strategy),
        callbacks: { session: ({ session }) => (isBroken ? fail(value) : session) },
      })
      const visitor = await signedIn(application)
      isBroken = true
      for (const response of [
        await visitor.get('/session'),
        await visitor.postJson('/session', { data: 1 }),
      ]) {
        expect(response.status).toBe(503)
        expect(await response.json()).toEqual({ message: expect.any(String) })
        expect(writtenCookies(response)).toEqual([])
      }
      const request = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
      await expect(application.getSession(request)).rejects.toBeInstanceOf(AuthError)
      isBroken = false
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    },
  )

  it('from the jwt callback at a read: is 503 and keeps the session', async () => {
    let isBroken = false
    const application = createApplication({
      callbacks: { jwt: ({ token }) => (isBroken ? fail(value) : token) },
    })
    const visitor = await signedIn(application)
    isBroken = true
    expect((await visitor.get('/session')).status).toBe(503)
    isBroken = false
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('from the redirect callback: signs nobody in, and lets everybody out', async () => {
    let isBroken = true
    const application = createApplication({
      callbacks: { redirect: ({ baseUrl }) => (isBroken ? fail(value) : baseUrl) },
    })
    const visitor = application.visitor()
    for (const path of ['/signin?callbackUrl=/a', '/signout?callbackUrl=/a']) {
      const response = await visitor.get(path)
      expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    }
    const entered = await signIn(visitor, ANN, { callbackUrl: '/a' })
    expect(entered.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    isBroken = false
    await signIn(visitor, ANN, { callbackUrl: '/a' })
    isBroken = true
    const left = await visitor.post('/signout', { callbackUrl: '/a' })
    expect(left.headers.get('location')).toBe(ORIGIN)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it.each(STRATEGIES)('from listeners: is logged, and changes nothing (%s)', async strategy => {
    const application = createApplication({
      ...configFor(strategy),
      events: {
        signIn: () => fail(value),
        session: async () => fail(value),
        signOut: () => fail(value),
      },
    })
    const visitor = await signedIn(application)
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    await visitor.post('/signout')
    expect(await visitor.session()).toBeNull()
    expect(application.errors.filter(each => each instanceof EventError)).toHaveLength(3)
  })

  it('from every method of the adapter: is never "nobody", and is over when the store is back', async () => {
    const store = memoryAdapter([ANN, BOB])
    const broken = breakable(store, value)
    const application = createApplication({ adapter: broken.adapter })
    const visitor = await signedIn(application)

    broken.isBroken = true
    const read = await visitor.get('/session')
    expect(read.status).toBe(503)
    expect(writtenCookies(read)).toEqual([])
    const request = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
    await expect(application.getSession(request)).rejects.toBeInstanceOf(AuthError)
    const other = application.visitor()
    const entered = await signIn(other, BOB)
    expect(entered.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(other.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(application.errors.some(each => each instanceof AdapterError)).toBe(true)

    broken.isBroken = false
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    await signIn(other, BOB)
    expect(await other.session()).toMatchObject({ user: { name: 'Bob' } })
  })

  it('from the adapter at sign-out: removes the cookie, and does not say that all is well', async () => {
    const broken = breakable(memoryAdapter([ANN]), value)
    const application = createApplication({ adapter: broken.adapter })
    const visitor = await signedIn(application)
    broken.isBroken = true
    const response = await visitor.post('/signout')
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(application.errors).toHaveLength(1)
  })

  it.each([
    ['at once', () => fail(value)],
    ['later', async () => fail(value)],
  ])('from the logger, %s: disturbs nobody', async (_, broken) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const application = createApplication({
      secret: 'short',
      logger: { error: broken, warn: broken, debug: broken },
    })
    expect((await application.visitor().get('/nothing')).status).toBe(404)
    const refused = await application.visitor().send('/signout', { method: 'POST' })
    expect(refused.headers.get('location')).toContain('error=MissingCSRF')
    const visitor = await signedIn(application)
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })

  it('from jwt.decode or jwt.encode: is no session', async () => {
    const application = createApplication({ jwt: { decode: () => fail(value) } })
    expect(await (await signedIn(application)).session()).toBeNull()
    const mute = createApplication({ jwt: { encode: () => fail(value) } })
    const response = await signIn(mute.visitor())
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
  })

  it('from a provider function: is a fault of the configuration', async () => {
    const provider = () => fail(value)
    const application = createApplication({ providers: [passwords(), provider] })
    const response = await application.visitor().get('/session')
    expect(response.status).toBe(500)
    expect(application.errors).toHaveLength(1)
  })
})

describe('An application that answers what it should not', () => {
  it('a session that cannot be JSON is 503, logged, and the next read works', async () => {
    const ring: Record<string, unknown> = {}
    ring['self'] = ring
    const broken = [{ big: 1n }, ring, { toJSON: () => fail(new Error('no')) }]
    for (const value of broken) {
      let isBroken = true
      const application = createApplication({
        callbacks: {
          session: ({ session }) => (isBroken ? Object.assign({ ...session }, value) : session),
        },
      })
      const visitor = await signedIn(application)
      const response = await visitor.get('/session')
      expect(response.status).toBe(503)
      expect(application.errors).toHaveLength(1)
      isBroken = false
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    }
  })

  it('a token that cannot be JSON signs nobody in', async () => {
    const application = createApplication({ callbacks: { jwt: () => ({ big: 1n }) } })
    const response = await signIn(application.visitor())
    expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
  })

  it.each([
    undefined,
    null,
    42,
    true,
    {},
    [],
    () => '/',
    Symbol('/'),
    new URL('https://evil.example'),
  ])('a redirect that is no text leads home: %s', async answer => {
    const application = createApplication({ callbacks: { redirect: () => answer as never } })
    const response = await signIn(application.visitor(), ANN, { callbackUrl: '/a' })
    expect(response.headers.get('location')).toBe(ORIGIN)
  })

  it('a session callback that answers nothing is 503, and one that answers null is null', async () => {
    const forgetful = createApplication({ callbacks: { session: () => undefined as never } })
    expect((await (await signedIn(forgetful)).get('/session')).status).toBe(503)
    const strict = createApplication({ callbacks: { session: () => null as never } })
    expect(await (await signedIn(strict)).session()).toBeNull()
  })

  it('a store that answers nothing at all is no session', async () => {
    const { adapter } = memoryAdapter([ANN])
    for (const answer of [null, undefined]) {
      const getSessionAndUser = async () => answer as null
      const application = createApplication({ adapter: { ...adapter, getSessionAndUser } })
      expect(await (await signedIn(application)).session()).toBeNull()
    }
  })

  it('a store that answers half a session is 503, not nobody', async () => {
    const { adapter } = memoryAdapter([ANN])
    for (const answer of [{}, { session: {} }, { session: { expires: null } }, 'yes', 42]) {
      const getSessionAndUser = async () => answer as never
      const application = createApplication({ adapter: { ...adapter, getSessionAndUser } })
      const visitor = await signedIn(application)
      const response = await visitor.get('/session')
      expect(response.status, JSON.stringify(answer)).toBe(503)
      expect(writtenCookies(response)).toEqual([])
    }
  })

  it('a listener, a logger or a provider that is no function is passed over or reported', async () => {
    const odd = {
      events: { signIn: 'loud' },
      logger: {},
      callbacks: {},
    } as unknown as Partial<AuthConfig>
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await (await signedIn(createApplication(odd))).session()).toBeTruthy()
    for (const provider of [null, undefined, 42, 'github', {}, []]) {
      const application = createApplication({ providers: [provider as never] })
      expect((await application.visitor().get('/session')).status).toBe(500)
      expect(application.errors).toHaveLength(1)
    }
  })
})

/** A store that can be out of order. */
function breakable({ adapter }: MemoryAdapter, value: unknown) {
  const state = { isBroken: false, adapter: { ...adapter } }
  for (const [name, method] of Object.entries(adapter)) {
    const guarded = (...args: never[]) =>
      state.isBroken ? fail(value) : Reflect.apply(method, adapter, args)
    Object.assign(state.adapter, { [name]: guarded })
  }
  return state
}
