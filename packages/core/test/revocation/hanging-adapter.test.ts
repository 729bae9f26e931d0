import type { Adapter } from '@siteauth/core/adapters'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createWorld, tokenOf } from '../tokens/people.ts'
import { createTestAuth, rotate, Visitor } from '../visitor.ts'
import { endsWithin } from './fake-time.ts'

// An adapter of somebody else, whose store accepts every call and answers none.

/** How long a call may take. */
const TIMEOUT = 15_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An adapter that hangs from now on, once it is told so. */
function hangingAdapter() {
  const store = MemoryAdapter()
  const state = { hangs: false }
  const wrap = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, member]) => [
        name,
        typeof member === 'function'
          ? async (...args: unknown[]) =>
              state.hangs ? new Promise(() => {}) : Reflect.apply(member, part, args)
          : member,
      ]),
    ) as Part // member by member the same
  const { revocations, trackedSessions: _, limiter, passwords: __, ...methods } = store
  const adapter: Adapter = { ...wrap(methods), limiter: wrap(limiter), revocations }
  return { adapter, store, state }
}

function createApplication() {
  const { adapter, store, state } = hangingAdapter()
  const auth = createTestAuth({
    adapter,
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        async authorize() {
          const email = 'ann@example.com'
          const known = await store.getUserByEmail(email)
          return known ?? store.createUser({ id: 'ignored', email, emailVerified: null })
        },
      },
    ],
    session: { strategy: 'database' },
  })
  async function signIn(): Promise<Visitor> {
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/password')
    return visitor
  }
  return { auth, state, signIn }
}

describe('an adapter that hangs', () => {
  type Act = (
    app: ReturnType<typeof createApplication>,
    visitor: Visitor,
  ) => Promise<{ readonly status: number } | unknown>

  const ACTIONS: Readonly<Record<string, Act>> = {
    'a session check': (_app, visitor) => visitor.get('/session'),
    'an update': (_app, visitor) => visitor.postJson('/session', { data: {} }),
    'a rotation': ({ auth }, visitor) => rotate(auth, visitor),
    'the list of sessions': (_app, visitor) => visitor.get('/sessions'),
    'ending the others': (_app, visitor) => visitor.postJson('/sessions/end', { others: true }),
    'a sign-out': (_app, visitor) => visitor.post('/signout'),
    'a sign-in': (_app, visitor) => visitor.post('/callback/password'),
    'ending all sessions of a user': ({ auth }) => auth.users.endSessions('ann'),
  }

  it.each(Object.keys(ACTIONS))('is abandoned by %s', async name => {
    const app = createApplication()
    const visitor = await app.signIn()
    await visitor.csrfToken()
    app.state.hangs = true
    const act = ACTIONS[name] ?? Promise.reject
    expect(await endsWithin(4 * TIMEOUT, act(app, visitor))).toBe(true)
  })

  it('leaves it unknown who is signed in, and signs nobody out', async () => {
    const { state, signIn } = createApplication()
    const visitor = await signIn()
    state.hangs = true
    const answer = visitor.get('/session')
    expect(await endsWithin(TIMEOUT, answer)).toBe(true)
    expect((await answer).status).toBe(503)
    state.hangs = false
    expect(await visitor.session()).not.toBeNull()
  })
})

it('a limiter that hangs keeps nobody from signing in', async () => {
  const { limiter } = MemoryAdapter()
  const auth = createTestAuth({
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: { username: {} },
        authorize: () => ({ id: '1' }),
      },
    ],
    limits: { limiter: { ...limiter, take: () => new Promise(() => {}) } },
  })
  const visitor = new Visitor(auth.handle)
  expect(
    await endsWithin(2 * TIMEOUT, visitor.post('/callback/password', { username: 'ann' })),
  ).toBe(true)
  expect(await visitor.session()).not.toBeNull()
})

it('a lease that hangs leaves the tokens as they are', async () => {
  const adapter = MemoryAdapter()
  const state = { hangs: false }
  const { leaseAccount } = adapter
  const world = createWorld({
    adapter: {
      ...adapter,
      leaseAccount: (...args) =>
        state.hangs ? new Promise(() => {}) : leaseAccount.apply(adapter, args),
    },
  })
  const visitor = await world.signIn('ada')
  world.clock.now += 3_600_000
  state.hangs = true
  const token = tokenOf(world.auth, visitor)
  expect(await endsWithin(2 * TIMEOUT, token)).toBe(true)
  expect(await token).toBe('unavailable')
  state.hangs = false
  world.clock.now += 60_000
  expect(await tokenOf(world.auth, visitor)).toMatch(/^access-ada/)
})
