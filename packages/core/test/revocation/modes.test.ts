import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { createTestAuth, readWithoutRenewal, Visitor } from '../visitor.ts'
import { at, createLog } from './network.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND

function setUp(session: AuthConfig['session'] = {}) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const store = createLog(() => clock.now)
  const auth = createTestAuth({
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: ({ id }) => ({ id: String(id), name: String(id) }),
      },
    ],
    ports: { now: () => clock.now },
    session: {
      strategy: 'jwt',
      ...session,
      ...(session.revocation !== false && {
        revocation: { log: store.log, ...session.revocation },
      }),
    },
  })
  const signIn = async () => {
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/password', { id: 'ann' })
    return visitor
  }
  return { auth, clock, ...store, signIn }
}

describe('ends that are looked for at renewal', () => {
  const renewal = { updateAge: 3600, revocation: { check: 'on-renewal' } } as const

  it('cost a check nothing', async () => {
    const { signIn, state } = setUp(renewal)
    const ann = await signIn()
    state.calls.length = 0
    await ann.session()
    expect(state.calls).toEqual([])
  })

  it('count from the next renewal on', async () => {
    const { auth, signIn, clock } = setUp(renewal)
    const ann = await signIn()
    const thief = at(auth, ann)
    await ann.post('/signout')
    expect(await thief.session()).not.toBeNull()
    clock.now += HOUR
    expect(await thief.session()).toBeNull()
  })

  it('are asked for every 30 seconds where a session that is due cannot be renewed', async () => {
    const { auth, signIn, state, clock } = setUp(renewal)
    const ann = await signIn()
    clock.now += HOUR
    const read = () =>
      readWithoutRenewal(auth, {
        url: 'https://app.example.com',
        headers: { cookie: ann.cookieHeader() },
      })
    state.calls.length = 0
    for (let i = 0; i < 5; i++) expect(await read()).not.toBeNull()
    expect(state.calls).toEqual(['find'])
    await auth.users.endSessions('ann')
    clock.now += 30 * SECOND
    expect(await read()).toBeNull()
  })
})

describe('sessions that are never ended', () => {
  it('are not looked for, and cannot be', async () => {
    const { auth, signIn, state } = setUp({ revocation: false })
    const ann = await signIn()
    const copy = at(auth, ann)
    await ann.post('/signout')
    expect(await copy.session()).not.toBeNull()
    expect(state.calls).toEqual([])
    await expect(auth.users.endSessions('ann')).rejects.toThrow('set session.revocation.log')
  })
})

describe('a store that does not answer for long', () => {
  it('stops nobody where the application would rather go on', async () => {
    const { signIn, state, clock } = setUp({ revocation: { whenStale: 'accept' } })
    const ann = await signIn()
    await ann.session()
    state.isDown = true
    clock.now += HOUR
    expect(await ann.session()).toMatchObject({ user: { name: 'ann' } })
  })
})

describe('a configuration', () => {
  it.each([
    ['check', { check: 'view' }, "must be 'always' or 'on-renewal'"],
    ['pollSeconds', { pollSeconds: 0 }, 'must be a number of seconds greater than 0'],
    ['maxStaleSeconds', { pollSeconds: 10, maxStaleSeconds: 5 }, 'no less than pollSeconds'],
    ['whenStale', { whenStale: 'deny' }, "must be 'reject' or 'accept'"],
    ['log', { log: { end() {} } }, 'must have the methods end, find and since'],
  ])('with a wrong %s is told so', async (name, revocation, message) => {
    const { auth } = setUp({ revocation: revocation as never })
    await auth.handle(new Request('https://app.example.com/auth/session'))
    const text = auth.errors.map(error => error.message).join()
    expect(text).toContain(`session.revocation.${name}`)
    expect(text).toContain(message)
  })
})
