import type { SessionEndOptions, SessionEndReason } from '@siteauth/core/types'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPeople, handleOf, requestOf, rotate, STRATEGIES } from '../devices/people.ts'
import type { Visitor } from '../visitor.ts'

type People = ReturnType<typeof createPeople>

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Why the listener of a connection was called. */
async function listen({ auth }: People, visitor: Visitor, options?: SessionEndOptions) {
  const reasons: SessionEndReason[] = []
  const stop = await auth.sessions.onEnd(
    requestOf(visitor),
    reason => void reasons.push(reason),
    options,
  )
  return { reasons, stop }
}

async function pass({ clock }: People, milliseconds: number): Promise<void> {
  const step = 5000
  for (let left = milliseconds; left > 0; left -= step) {
    clock.now += Math.min(step, left)
    await vi.advanceTimersByTimeAsync(Math.min(step, left))
  }
}

describe.each(STRATEGIES)('sessions.onEnd with strategy %s', strategy => {
  it('does not call its listener while the session is valid', async () => {
    const people = createPeople(strategy)
    const { reasons } = await listen(people, await people.signIn('ann'))
    await pass(people, 10 * MINUTE)
    expect(reasons).toEqual([])
  })

  it('calls its listener within ten seconds after the visitor has signed out, and only once', async () => {
    const people = createPeople(strategy)
    const ann = await people.signIn('ann')
    const { reasons } = await listen(people, ann)
    await ann.post('/signout')
    await pass(people, 10_000)
    expect(reasons).toEqual(['revoked'])
    await pass(people, 10 * MINUTE)
    expect(reasons).toEqual(['revoked'])
  })

  it('calls its listener if another browser ends the session', async () => {
    const people = createPeople(strategy)
    const [ann, other] = [await people.signIn('ann'), await people.signIn('ann')]
    const { reasons } = await listen(people, ann)
    await other.post('/sessions/end', { handle: await handleOf(ann) })
    await pass(people, 10_000)
    expect(reasons).toEqual(['revoked'])
  })

  it('calls its listener if all sessions of the user end', async () => {
    const people = createPeople(strategy)
    const [ann, bob] = [await people.signIn('ann'), await people.signIn('bob')]
    const [ofAnn, ofBob] = [await listen(people, ann), await listen(people, bob)]
    people.clock.now += 1
    await people.auth.users.endSessions('ann')
    await pass(people, 10_000)
    expect([ofAnn.reasons, ofBob.reasons]).toEqual([['revoked'], []])
  })

  it('calls its listener when the session expires', async () => {
    const people = createPeople(strategy, { session: { maxAge: 600 } })
    const { reasons } = await listen(people, await people.signIn('ann'))
    await pass(people, 11 * MINUTE)
    expect(reasons).toEqual(['expired'])
  })

  it('does not renew the session, however long a connection is open', async () => {
    const people = createPeople(strategy, { session: { maxAge: 600, updateAge: 60 } })
    const { reasons } = await listen(people, await people.signIn('ann'))
    await pass(people, 11 * MINUTE)
    expect(reasons).toEqual(['expired'])
  })

  it('calls its listener after a rotation once the old token can no longer be read', async () => {
    const people = createPeople(strategy)
    const ann = await people.signIn('ann')
    const { reasons } = await listen(people, ann)
    await rotate(people.auth, ann)
    await pass(people, 20_000)
    expect(reasons).toEqual([])
    await pass(people, 30_000)
    expect(reasons).toEqual(['revoked'])
  })

  it('calls its listener at once if the visitor is not signed in', async () => {
    const people = createPeople(strategy)
    const ann = await people.signIn('ann')
    ann.cookies.clear()
    expect((await listen(people, ann)).reasons).toEqual(['not_signed_in'])
  })

  it('does not call its listener after it was told to stop', async () => {
    const people = createPeople(strategy)
    const ann = await people.signIn('ann')
    const { reasons, stop } = await listen(people, ann)
    await ann.post('/signout')
    stop()
    await pass(people, MINUTE)
    expect(reasons).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('queries the store as often as it was told', async () => {
    const people = createPeople(strategy)
    const ann = await people.signIn('ann')
    const { reasons } = await listen(people, ann, { checkSeconds: 60 })
    await ann.post('/signout')
    await pass(people, 55_000)
    expect(reasons).toEqual([])
    await pass(people, 5000)
    expect(reasons).toEqual(['revoked'])
  })

  it('waits five minutes for a store that does not respond', async () => {
    const people = createPeople(strategy)
    const { reasons } = await listen(people, await people.signIn('ann'))
    const fail = () => {
      throw new Error('the store is down')
    }
    people.adapter.getSessionAndUser = fail
    people.adapter.revocations.find = fail
    await pass(people, 4 * MINUTE)
    expect(reasons).toEqual([])
    await pass(people, 2 * MINUTE)
    expect(reasons).toEqual(['unknown'])
  })
})

it('sessions.onEnd calls no callback after the first time', async () => {
  const jwt = vi.fn(({ token }) => token)
  const people = createPeople('jwt', { callbacks: { jwt } })
  await listen(people, await people.signIn('ann'))
  const calls = jwt.mock.calls.length
  await pass(people, MINUTE)
  expect(jwt.mock.calls.length).toBe(calls)
})

it('sessions.onEnd logs what its listener throws', async () => {
  const people = createPeople('jwt')
  const ann = await people.signIn('ann')
  await people.auth.sessions.onEnd(requestOf(ann), () => {
    throw new Error('the socket is gone')
  })
  await ann.post('/signout')
  await pass(people, 10_000)
  expect(people.auth.errors.map(({ message }) => message)).toEqual(['the socket is gone'])
})

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 86_401])(
  'sessions.onEnd rejects %s seconds between two checks',
  async checkSeconds => {
    const people = createPeople('jwt')
    const ann = await people.signIn('ann')
    await expect(listen(people, ann, { checkSeconds })).rejects.toThrow('checkSeconds')
  },
)
