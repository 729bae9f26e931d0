import type { AuthInstance } from '@siteauth/core'
import { encode } from '@siteauth/core/jwt'
import { describe, expect, it, vi } from 'vitest'
import { SECRET, Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND
const COOKIE = '__Secure-authjs.session-token'

async function signedIn(auth: Pick<AuthInstance, 'handle'>, id = 'ann') {
  const visitor = new Visitor(auth.handle)
  await visitor.post('/callback/password', { id })
  return visitor
}

describe('signing out', () => {
  it('ends every copy of the cookie', async () => {
    const { node } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    const thief = at(auth, ann)
    await ann.post('/signout')
    expect(await thief.session()).toBeNull()
  })

  it('leaves the other sessions of the same person alone', async () => {
    const { node } = createNetwork()
    const auth = node()
    const phone = await signedIn(auth)
    const laptop = await signedIn(auth)
    await phone.post('/signout')
    expect(await laptop.session()).toMatchObject({ user: { name: 'ann' } })
  })

  it('is known at another server at once, where the log has a channel', async () => {
    const { node, state } = createNetwork()
    state.hasChannel = true
    const [one, other] = [node(), node()]
    const ann = await signedIn(one)
    const thief = at(other, ann)
    expect(await thief.session()).not.toBeNull()
    await ann.post('/signout')
    expect(await thief.session()).toBeNull()
  })

  it('is known at another server within the time between two looks, where it has none', async () => {
    const { node, clock } = createNetwork()
    const [one, other] = [node(), node()]
    const ann = await signedIn(one)
    const thief = at(other, ann)
    expect(await thief.session()).not.toBeNull()
    await ann.post('/signout')
    clock.now += 10 * SECOND
    expect(await thief.session()).toBeNull()
  })

  it('is not undone by a renewal at a server that has not heard of it', async () => {
    const { node, clock } = createNetwork()
    const [one, other] = [node(), node()]
    const ann = await signedIn(one)
    clock.now += 2 * DAY
    await at(other, ann).session()
    const thief = at(other, ann)
    await at(one, ann).post('/signout')
    clock.now += SECOND
    expect(await thief.session()).toBeNull()
    expect(thief.cookies.get(COOKIE)).toBeUndefined()
  })

  it('ends a token as well that was sealed anew in the meantime', async () => {
    const { node, clock } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    const before = at(auth, ann)
    clock.now += 2 * DAY
    await ann.session()
    expect(ann.cookies.get(COOKIE)).not.toBe(before.cookies.get(COOKIE))
    await before.post('/signout')
    expect(await ann.session()).toBeNull()
  })

  it('ends a session of Auth.js, and what became of it', async () => {
    const { node, clock } = createNetwork()
    const auth = node()
    const token = await encode({
      token: { sub: 'ann', name: 'ann', iat: clock.now / SECOND, exp: (clock.now + DAY) / SECOND },
      secret: SECRET,
      salt: COOKIE,
    })
    const ann = new Visitor(auth.handle)
    ann.cookies.set(COOKIE, token)
    clock.now = Date.now()
    const renewed = [at(auth, ann), at(auth, ann)]
    for (const tab of renewed) expect(await tab.session()).toMatchObject({ user: { name: 'ann' } })
    await ann.post('/signout')
    for (const tab of [ann, ...renewed]) expect(await tab.session()).toBeNull()
  })

  it('holds in this process while the store is down, and everywhere later', async () => {
    const { node, state, clock } = createNetwork()
    const [one, other] = [node(), node()]
    const ann = await signedIn(one)
    const ben = await signedIn(one, 'ben')
    const [here, there] = [at(one, ann), at(other, ann)]
    expect(await there.session()).not.toBeNull()
    state.isDown = true
    const answer = await ann.post('/signout')
    expect(answer.headers.get('location')).not.toContain('error')
    expect(ann.cookies.get(COOKIE)).toBeUndefined()
    expect(await here.session()).toBeNull()
    state.isDown = false
    clock.now += 10 * SECOND
    await ben.session()
    clock.now += 10 * SECOND
    expect(await there.session()).toBeNull()
  })

  it('is stored when the store is back, however long that takes and though nobody asks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const { node, state, rows } = createNetwork()
      const ann = await signedIn(node())
      state.isDown = true
      await ann.post('/signout')
      for (let attempt = 0; attempt < 3; attempt++) await vi.advanceTimersByTimeAsync(10 * SECOND)
      const revoked = () => [...rows.keys()].filter(key => key.startsWith('s:'))
      expect(revoked()).toEqual([])
      state.isDown = false
      await vi.advanceTimersByTimeAsync(10 * SECOND)
      expect(revoked()).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not undone by an update that arrives late', async () => {
    const { node } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    const tab = at(auth, ann)
    await ann.post('/signout')
    const answer = await tab.postJson('/session', { data: { name: 'Eve' } })
    expect(await answer.json()).toBeNull()
    expect(await tab.session()).toBeNull()
  })
})

describe('ending all sessions of a user', () => {
  it('ends those that began before, and none that begin afterwards', async () => {
    const { node, clock } = createNetwork()
    const [one, other] = [node(), node()]
    const before = [await signedIn(one), await signedIn(other)]
    const ben = await signedIn(one, 'ben')
    await one.users.endSessions('ann')
    const after = await signedIn(other)
    clock.now += 10 * SECOND
    for (const visitor of before) expect(await visitor.session()).toBeNull()
    expect(await after.session()).not.toBeNull()
    expect(await ben.session()).not.toBeNull()
  })

  it('ends what a server renewed that had not heard of it', async () => {
    const { node, clock } = createNetwork()
    const [one, other] = [node(), node()]
    const ann = await signedIn(one)
    clock.now += 2 * DAY
    expect(await at(other, ann).session()).not.toBeNull()
    await one.users.endSessions('ann')
    expect(await at(other, ann).session()).toBeNull()
  })

  it('ends a session whose claim sub the application changed', async () => {
    const { node } = createNetwork({
      callbacks: { jwt: ({ token }) => ({ ...token, sub: 'somebody', siteauth: undefined }) },
    })
    const auth = node()
    const ann = await signedIn(auth)
    expect(await ann.session()).not.toBeNull()
    await auth.users.endSessions('ann')
    expect(await ann.session()).toBeNull()
  })

  it('says what it takes, where sessions cannot be ended', async () => {
    const { node } = createNetwork()
    const auth = node()
    await expect(auth.users.endSessions('')).rejects.toThrow(
      'users.endSessions needs the id of a user',
    )
  })
})

describe('a log that is out of reach', () => {
  it('leaves people signed in for a while, and then says that it does not know', async () => {
    const { node, state, clock } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    await ann.session()
    state.isDown = true
    clock.now += 299 * SECOND
    expect((await ann.get('/session')).status).toBe(200)
    clock.now += 2 * SECOND
    expect((await ann.get('/session')).status).toBe(503)
    expect(ann.cookies.get(COOKIE)).toBeDefined()
    state.isDown = false
    clock.now += 2 * SECOND
    expect((await ann.get('/session')).status).toBe(200)
    expect(auth.errors).toHaveLength(2)
  })

  it('signs nobody in', async () => {
    const { node, state } = createNetwork()
    const auth = node()
    state.isDown = true
    const ann = await signedIn(auth)
    expect(ann.cookies.get(COOKIE)).toBeUndefined()
  })
})

describe('a session check', () => {
  it('asks nobody', async () => {
    const { node, state } = createNetwork()
    const auth = node()
    const ann = await signedIn(auth)
    await ann.session()
    state.calls.length = 0
    for (let i = 0; i < 20; i++) await ann.session()
    expect(state.calls).toEqual([])
  })
})
