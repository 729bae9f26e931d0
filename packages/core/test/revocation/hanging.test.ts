import type { AuthConfig, AuthInstance } from '@siteauth/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readWithoutRenewal, rotate, Visitor } from '../visitor.ts'
import { endsWithin } from './fake-time.ts'
import { at, createNetwork } from './network.ts'

// A store that accepts every call and answers none, as one behind a firewall that drops packets.

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const COOKIE = '__Secure-authjs.session-token'
/** How long a call may take, and how long a read waits for one if it can do without. */
const TIMEOUT = 10 * SECOND
const PATIENCE = 500

let network: ReturnType<typeof createNetwork>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  network = createNetwork()
})
afterEach(() => {
  vi.useRealTimers()
})

function hang(): void {
  network.state.intercept = () => new Promise(() => {})
}

function recover(): void {
  network.state.intercept = async (_call, act) => act()
}

async function signedIn(auth: Pick<AuthInstance, 'handle'>, id = 'ann') {
  const visitor = new Visitor(auth.handle)
  await visitor.post('/callback/password', { id })
  return visitor
}

describe('a store that hangs', () => {
  type Act = (auth: ReturnType<typeof network.node>, visitor: Visitor) => Promise<unknown>

  const ACTIONS: Readonly<Record<string, Act>> = {
    'a first session check': async (_auth, visitor) => visitor.get('/session'),
    'a sign-in': async (_auth, visitor) => visitor.post('/callback/password', { id: 'ben' }),
    'a sign-out': async (_auth, visitor) => visitor.post('/signout'),
    'an update': async (_auth, visitor) => visitor.postJson('/session', { data: {} }),
    'a rotation': async (auth, visitor) => rotate(auth, visitor),
    'ending all sessions of a user': async auth => auth.users.endSessions('ann'),
  }

  it.each(Object.keys(ACTIONS))('is abandoned by %s', async name => {
    const act = ACTIONS[name] ?? Promise.reject
    const auth = network.node()
    const copy = at(auth, await signedIn(network.node()))
    await copy.csrfToken()
    hang()
    expect(await endsWithin(4 * TIMEOUT, act(auth, copy))).toBe(true)
  })

  it('leaves who is signed in unknown to a process that has read nothing yet', async () => {
    const ann = await signedIn(network.node())
    const copy = at(network.node(), ann)
    hang()
    const answer = copy.get('/session')
    await endsWithin(2 * TIMEOUT, answer)
    expect((await answer).status).toBe(503)
    expect(copy.cookies.get(COOKIE)).toBeDefined()
  })

  it('does not keep a sign-out from ending the session in this process', async () => {
    const auth = network.node()
    const ann = await signedIn(auth)
    const copy = at(auth, ann)
    await copy.session()
    hang()
    await endsWithin(4 * TIMEOUT, ann.post('/signout'))
    expect(ann.cookies.get(COOKIE)).toBeUndefined()
    expect(await copy.session()).toBeNull()
  })
})

describe('a session check while the store hangs', () => {
  /** A visitor whose session has been read, at a time when the next read has to poll. */
  async function overdue(more: Partial<AuthConfig> = {}) {
    const auth = network.node(more)
    const ann = await signedIn(auth)
    expect(await ann.session()).not.toBeNull()
    network.clock.now += 20 * SECOND
    return { auth, ann }
  }

  it('is answered from what the process knows, before the call is abandoned', async () => {
    const { ann } = await overdue()
    hang()
    const answer = ann.get('/session')
    expect(await endsWithin(PATIENCE, answer)).toBe(true)
    expect((await answer).status).toBe(200)
  })

  it('does not wait at all once the store is known to hang', async () => {
    const { ann } = await overdue()
    hang()
    await endsWithin(PATIENCE, ann.get('/session'))
    for (let visit = 0; visit < 5; visit++) {
      network.clock.now += 20 * SECOND
      const answer = ann.get('/session')
      expect(await endsWithin(0, answer)).toBe(true)
      expect((await answer).status).toBe(200)
    }
  })

  it('still knows what was ended before', async () => {
    const { auth, ann } = await overdue()
    const copy = at(auth, ann)
    await ann.post('/signout')
    network.clock.now += 20 * SECOND
    hang()
    const answer = copy.session()
    expect(await endsWithin(PATIENCE, answer)).toBe(true)
    expect(await answer).toBeNull()
  })

  it('is answered with 503 when that is older than maxStaleSeconds', async () => {
    const { ann } = await overdue()
    hang()
    network.clock.now += 5 * MINUTE
    const answer = ann.get('/session')
    expect(await endsWithin(2 * TIMEOUT, answer)).toBe(true)
    expect((await answer).status).toBe(503)
    expect(ann.cookies.get(COOKIE)).toBeDefined()
  })

  it('keeps the cookie of a session that is due as it is', async () => {
    const { ann } = await overdue()
    network.clock.now += 2 * DAY
    await at(network.node(), ann).session()
    await ann.get('/providers')
    const before = ann.cookies.get(COOKIE)
    // The view is fresh, and the store begins to hang before the session is renewed.
    network.state.intercept = async (call, act) =>
      call === 'since' ? act() : new Promise(() => {})
    const answer = ann.get('/session')
    expect(await endsWithin(2 * PATIENCE, answer)).toBe(true)
    expect(await (await answer).json()).toMatchObject({ user: { name: 'ann' } })
    expect(ann.cookies.get(COOKIE)).toBe(before)
  })

  it('is up to date again when the store is back', async () => {
    const { ann } = await overdue()
    const elsewhere = at(network.node(), ann)
    expect(await elsewhere.session()).not.toBeNull()
    hang()
    await endsWithin(PATIENCE, ann.get('/session'))
    recover()
    await elsewhere.post('/signout')
    // The call that hung is abandoned, and the next one is answered.
    await vi.advanceTimersByTimeAsync(TIMEOUT)
    network.clock.now += 20 * SECOND
    await ann.get('/session')
    network.clock.now += 20 * SECOND
    expect(await ann.session()).toBeNull()
  })
})

describe('a session check on renewal while the store hangs', () => {
  const session: AuthConfig['session'] = { updateAge: 3600 }

  async function due() {
    const { log, createNode } = network
    const revocation = { log, check: 'on-renewal' as const }
    const auth = createNode(null, { session: { ...session, revocation } })
    const ann = await signedIn(auth)
    network.clock.now += 61 * MINUTE
    return { auth, ann }
  }

  it.each([
    ['renewed', async ({ ann }: Awaited<ReturnType<typeof due>>) => (await ann.get('/session')).ok],
    [
      'read',
      async ({ auth, ann }: Awaited<ReturnType<typeof due>>) => {
        const headers = { cookie: ann.cookieHeader() }
        return (
          (await readWithoutRenewal(auth, { headers, url: 'https://app.example.com/' })) !== null
        )
      },
    ],
  ])('does not wait for it before a session is %s', async (_name, isAccepted) => {
    const visit = await due()
    hang()
    const first = isAccepted(visit)
    expect(await endsWithin(PATIENCE, first)).toBe(true)
    expect(await first).toBe(true)
    const second = isAccepted(visit)
    expect(await endsWithin(0, second)).toBe(true)
    expect(await second).toBe(true)
  })
})

describe('a list of sessions that hangs', () => {
  const never = () => new Promise<never>(() => {})
  const track = { add: never, renew: never, list: never, remove: never, removeAll: never }

  it('is abandoned at a sign-in', async () => {
    const auth = network.node({ session: { track } })
    const visitor = new Visitor(auth.handle)
    expect(await endsWithin(TIMEOUT, visitor.post('/callback/password', { id: 'ann' }))).toBe(true)
    expect(await visitor.session()).toMatchObject({ user: { name: 'ann' } })
  })

  it('does not keep a session from being renewed', async () => {
    const ann = await signedIn(network.node())
    const copy = at(network.node({ session: { track } }), ann)
    await copy.session()
    network.clock.now += 2 * DAY
    const before = copy.cookies.get(COOKIE)
    expect(await endsWithin(PATIENCE, copy.session())).toBe(true)
    expect(copy.cookies.get(COOKIE)).not.toBe(before)
  })
})
