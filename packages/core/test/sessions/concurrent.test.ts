import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createPeople, requestOf, STRATEGIES, sessionsOf } from '../devices/people.ts'
import { createTestAuth, type Visitor } from '../visitor.ts'
import { isIn } from './site.ts'

const MODES: readonly (readonly [string, NonNullable<AuthConfig['session']>])[] = [
  ['rows', { strategy: 'database' }],
  ['rows under hashes', { strategy: 'database', hashTokens: true }],
  ['rows of an audience', { strategy: 'database', audience: 'one' }],
  ['cookies', { strategy: 'jwt', track: true }],
  ['cookies of an audience', { strategy: 'jwt', track: true, audience: 'one' }],
]

async function whoIsIn(visitors: readonly Visitor[]): Promise<readonly boolean[]> {
  return Promise.all(visitors.map(isIn))
}

describe.each(MODES)('with session.maxConcurrent, sessions in %s', (_, session) => {
  function createSite(maxConcurrent: number) {
    const people = createPeople(session.strategy ?? 'jwt', {
      session: { ...session, maxConcurrent },
    })
    async function signIn(who: string) {
      people.clock.now += 1000
      return people.signIn(who)
    }
    return { ...people, signIn }
  }

  it('end with the oldest if there are more, and those of others stay', async () => {
    const { signIn } = createSite(2)
    const ben = await signIn('ben')
    const visitors = [await signIn('ann'), await signIn('ann')]
    expect(await whoIsIn(visitors)).toEqual([true, true])
    visitors.push(await signIn('ann'))
    expect(await whoIsIn(visitors)).toEqual([false, true, true])
    visitors.push(await signIn('ann'))
    expect(await whoIsIn(visitors)).toEqual([false, false, true, true])
    expect(await sessionsOf(visitors[3] as Visitor)).toHaveLength(2)
    expect(await isIn(ben)).toBe(true)
  })

  it('do not count one that the browser replaces by signing in again', async () => {
    const { signIn, clock } = createSite(2)
    const phone = await signIn('ann')
    const laptop = await signIn('ann')
    for (let round = 0; round < 3; round++) {
      clock.now += 1000
      await laptop.post('/callback/password', { who: 'ann' })
      expect(await whoIsIn([phone, laptop])).toEqual([true, true])
    }
  })

  it('may be one only', async () => {
    const { signIn } = createSite(1)
    const visitors = [await signIn('ann'), await signIn('ann'), await signIn('ann')]
    expect(await whoIsIn(visitors)).toEqual([false, false, true])
  })

  const nameOf = (at: number) =>
    session.hashTokens ? `h1.${String(at).padStart(64, '0')}` : crypto.randomUUID()

  it('end a hundred at a time, so that a user who has many signs in', async () => {
    const { signIn, adapter, auth } = createSite(3)
    const first = await signIn('ann')
    const expires = new Date(Date.now() + 86_400_000)
    for (let at = 0; at < 250; at++) {
      const more = { userId: 'ann', expires, createdAt: new Date(at) }
      if (session.strategy === 'database') {
        adapter.createSession({ sessionToken: nameOf(at), ...more })
      } else {
        const [own] = await adapter.trackedSessions.list('ann', 1)
        const id = own?.id.replace(/(?<=s:)[^.]+?(?=$|[.:@])/, crypto.randomUUID()) ?? ''
        adapter.trackedSessions.add({ id, ...more })
      }
    }
    const count = async () =>
      session.strategy === 'database'
        ? (await adapter.listSessions('ann')).length
        : (await adapter.trackedSessions.list('ann', 1000)).length
    const before = await count()
    const visitors = [first, await signIn('ann')]
    expect(await count()).toBe(before + 1 - 100)
    visitors.push(await signIn('ann'), await signIn('ann'))
    expect(await count()).toBe(3)
    expect(await whoIsIn(visitors)).toEqual([false, true, true, true])
    expect(auth.errors).toEqual([])
  })
})

describe.each(STRATEGIES)(
  'with session.maxConcurrent and a store that fails, strategy %s',
  strategy => {
    it('people sign in, and the failure is logged', async () => {
      const adapter = MemoryAdapter()
      await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: null })
      const fail = () => Promise.reject(new Error('the list is down'))
      const people = createPeople(strategy, {
        adapter: {
          ...adapter,
          listSessions: fail,
          trackedSessions: { ...adapter.trackedSessions, list: fail },
        },
        session: { maxConcurrent: 1 },
      })
      const visitor = await people.signIn('ann')
      expect(await people.auth.getSession(requestOf(visitor))).not.toBeNull()
      expect(people.auth.errors.map(({ message }) => message)).toEqual([
        'The oldest sessions of the user could not be ended.',
      ])
    })
  },
)

describe('session.maxConcurrent', () => {
  const problemsOf = async (config: Partial<AuthConfig>) => {
    const auth = createTestAuth({ trustHost: true, ...config })
    await auth.handle(new Request('https://app.example.com/auth/csrf'))
    return auth.errors.map(({ message }) => message)
  }

  it.each([0, -1, 1.5, Number.NaN, '3'])('must be a whole number greater than 0: %s', async max => {
    const session = { maxConcurrent: max as number }
    expect(await problemsOf({ adapter: MemoryAdapter(), session })).toEqual([
      expect.stringContaining('session.maxConcurrent must be a whole number greater than 0.'),
    ])
  })

  it('needs sessions that can be counted', async () => {
    const { listSessions: _, ...contract } = MemoryAdapter()
    const message = expect.stringContaining('session.maxConcurrent counts the sessions of a user')
    const session = { maxConcurrent: 3 }
    expect(await problemsOf({ session })).toEqual([message])
    expect(await problemsOf({ adapter: contract, session })).toEqual([message])
    const adapter = MemoryAdapter()
    expect(await problemsOf({ adapter, session: { ...session, strategy: 'jwt' } })).toEqual([
      message,
    ])
    expect(await problemsOf({ adapter, session })).toEqual([])
  })
})
