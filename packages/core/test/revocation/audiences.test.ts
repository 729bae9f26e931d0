import type { AuthConfig } from '@siteauth/core'
import type { Adapter, NewRevocation, RevocationLog } from '@siteauth/core/adapters'
import { encode } from '@siteauth/core/jwt'
import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, rotate, SECRET, Visitor } from '../visitor.ts'
import { createNetwork } from './network.ts'
import { createTenantOf, listOf, PERSON } from './shared-store.ts'

// Tenants share a log and a list, and have each given the same number to a person of theirs.

const COOKIE = '__Secure-authjs.session-token'
const HOUR = 3_600_000

let store: ReturnType<typeof MemoryAdapter>
let written: NewRevocation[]

beforeEach(() => {
  store = MemoryAdapter()
  written = []
})

/** The log of the store, which records what is written. */
function recorded(): RevocationLog {
  const { revocations } = store
  return {
    ...revocations,
    end: entries => {
      // All but what says how long revocations are kept.
      written.push(...entries.filter(({ key }) => key !== 'x:latest'))
      return revocations.end(entries)
    },
  }
}

function tenant(audience: string | undefined, config: Partial<AuthConfig> = {}) {
  const { trackedSessions } = store
  return createTenantOf({ revocations: recorded(), trackedSessions }, audience, config)
}

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

/** A session of an earlier version: its keys do not have the audience. */
async function earlierSession(audience: string, claims: object = {}) {
  const sid = crypto.randomUUID().replaceAll('-', '')
  const token = await encode({
    token: { sub: PERSON, name: audience, siteauth: { sid, bgn: Date.now(), gen: 0, ...claims } },
    secret: SECRET,
    salt: `${audience} ${COOKIE}`,
  })
  const expires = new Date(Date.now() + HOUR)
  await store.trackedSessions.add({ id: `s:${sid}`, userId: PERSON, expires, label: 'earlier' })
  return { key: `s:${sid}`, cookies: new Map([[COOKIE, token]]) }
}

/** A browser with an earlier session, at a server of this version. */
function upgraded(at: ReturnType<typeof tenant>, { cookies }: { cookies: Map<string, string> }) {
  return at.at({ cookies } as Visitor)
}

describe('a person of one tenant', () => {
  it('does not see the sessions of a person of another with the same id', async () => {
    const [a, b] = [await tenant('a').signIn(), await tenant('b').signIn()]
    for (const visitor of [a, b]) expect(await listOf(visitor)).toHaveLength(1)
  })

  it('sees their own, however many another has', async () => {
    const own = tenant('a')
    const visitors = [await own.signIn(), await own.signIn()]
    const later = { session: { maxAge: 400 * 24 * 3600 } }
    for (let i = 0; i < 120; i++) await tenant('b', later).signIn()
    for (const visitor of visitors) expect(await listOf(visitor)).toHaveLength(2)
  })

  it('does not end them by ending all others', async () => {
    const [a, b] = [tenant('a'), tenant('b')]
    const [own, second, other] = [await a.signIn(), await a.signIn(), await b.signIn()]
    await own.postJson('/sessions/end', { others: true })
    expect(await isSignedIn(second)).toBe(false)
    expect(await isSignedIn(own)).toBe(true)
    expect(await isSignedIn(other)).toBe(true)
    expect(await listOf(other)).toHaveLength(1)
  })

  it('does not end them by a handle', async () => {
    const secret = ['a secret of all tenants, which is long']
    const [a, b] = [tenant('a', { secret }), tenant('b', { secret })]
    const [own, other] = [await a.signIn(), await b.signIn()]
    const [{ handle } = { handle: '' }] = await listOf(other)
    const answer = await own.postJson('/sessions/end', { handle })
    expect(await answer.json()).toEqual({ ended: false })
    expect(await isSignedIn(other)).toBe(true)
  })

  it('does not end them when the application ends all of that user', async () => {
    const [a, b] = [tenant('a'), tenant('b')]
    const [own, other] = [await a.signIn(), await b.signIn()]
    await a.auth.users.endSessions(PERSON)
    expect(await isSignedIn(own)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
    expect(await listOf(other)).toHaveLength(1)
    const next = await a.signIn()
    expect(await isSignedIn(next)).toBe(true)
    expect(await listOf(next)).toHaveLength(1)
  })

  it('does not end a sign-in of the other that is in progress', async () => {
    const a = tenant('a')
    let act = async () => {}
    const b = tenant('b', {
      callbacks: {
        async signIn() {
          await act()
          return true
        },
      },
    })
    act = () => a.auth.users.endSessions(PERSON)
    expect(await isSignedIn(await b.signIn())).toBe(true)
    act = () => b.auth.users.endSessions(PERSON)
    expect(await isSignedIn(await b.signIn())).toBe(false)
  })

  it('is not separated by how the names of tenants and people are put together', async () => {
    const people = ['x', 'x.y', 'y.x', '%0020']
    const ends: string[] = []
    for (const audience of ['a', 'a.x', 'a x', 'ä'.repeat(300)]) {
      const { auth } = tenant(audience)
      for (const person of people) {
        written = []
        await auth.users.endSessions(person)
        ends.push(...written.map(({ key }) => key))
      }
    }
    expect(new Set(ends).size).toBe(16)
    for (const key of ends) expect(key).toMatch(/^[!-~]{1,255}$/)
  })
})

describe('a configuration without an audience', () => {
  it('has the keys that it had before', async () => {
    const { auth, signIn } = tenant(undefined)
    const visitor = await signIn()
    const [listed] = await store.trackedSessions.list(PERSON, 10)
    expect(listed?.id).toMatch(/^s:[\da-f]{32}$/)
    await rotate(auth, visitor)
    await auth.users.endSessions(PERSON)
    await (await signIn()).post('/signout')
    const keys = written.map(({ key }) => key)
    expect(keys).toEqual([listed?.id, `u:${PERSON}`, expect.stringMatching(/^s:[\da-f]{32}$/)])
  })

  it('neither lists nor ends the sessions of a tenant', async () => {
    const [none, own, other] = [tenant(undefined), tenant(undefined), tenant('a')]
    const [visitor, second, stranger] = [
      await none.signIn(),
      await own.signIn(),
      await other.signIn(),
    ]
    expect(await listOf(visitor)).toHaveLength(2)
    await visitor.postJson('/sessions/end', { others: true })
    expect(await isSignedIn(second)).toBe(false)
    expect(await isSignedIn(stranger)).toBe(true)
  })
})

describe('what an earlier version has stored without the audience', () => {
  const until = new Date(Date.now() + 2 * HOUR)

  it('still ends a session', async () => {
    const a = tenant('a')
    const earlier = await earlierSession('a')
    const visitor = upgraded(a, earlier)
    expect(await isSignedIn(visitor)).toBe(true)
    await store.revocations.end([{ key: earlier.key, until }])
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('still ends all sessions of a user, those of this version too, and no later one', async () => {
    const a = tenant('a')
    const [own, earlier] = [await a.signIn(), upgraded(a, await earlierSession('a'))]
    for (const visitor of [own, earlier]) expect(await isSignedIn(visitor)).toBe(true)
    await store.revocations.end([{ key: `u:${PERSON}`, until, isGeneration: true }])
    for (const visitor of [own, earlier]) {
      expect(await (await visitor.postJson('/session', { data: {} })).json()).toBeNull()
      expect(await isSignedIn(visitor)).toBe(false)
    }
    expect(await isSignedIn(await a.signIn())).toBe(true)
  })

  it('does not shield a session from what this version ends, after the clock of the store was put back', async () => {
    const { node, log, clock, storeClock } = createNetwork({ session: { audience: 'a' } })
    const auth = node()
    const signIn = async () => {
      const visitor = new Visitor(auth.handle)
      await visitor.post('/callback/password', { id: PERSON })
      return visitor
    }
    const end = { key: `u:${PERSON}`, until: new Date(clock.now + 100 * HOUR) }
    await log.end([{ ...end, isGeneration: true }])
    clock.now += 1000
    const visitor = await signIn()
    expect(await isSignedIn(visitor)).toBe(true)
    storeClock.offset = -HOUR
    await auth.users.endSessions(PERSON)
    expect(await isSignedIn(visitor)).toBe(false)
    storeClock.offset = HOUR
    expect(await isSignedIn(await signIn())).toBe(true)
  })

  it('ends a sign-in in progress', async () => {
    const a = tenant('a', {
      callbacks: {
        async signIn() {
          await store.revocations.end([{ key: `u:${PERSON}`, until, isGeneration: true }])
          return true
        },
      },
    })
    expect(await isSignedIn(await a.signIn())).toBe(false)
  })

  it('is listed, and ended with the others', async () => {
    const a = tenant('a')
    const [own, earlier] = [await a.signIn(), upgraded(a, await earlierSession('a'))]
    expect((await listOf(own)).map(({ label }) => label).sort()).toEqual(['earlier', null])
    await own.postJson('/sessions/end', { others: true })
    expect(await isSignedIn(earlier)).toBe(false)
    expect(await listOf(own)).toHaveLength(1)
  })

  it('is rotated and signed out under the key that servers of that version know', async () => {
    const a = tenant('a')
    const earlier = await earlierSession('a')
    const visitor = upgraded(a, earlier)
    await rotate(a.auth, visitor)
    await visitor.post('/signout')
    expect(written.map(({ key }) => key)).toEqual([earlier.key, earlier.key])
  })
})

describe('a user whom the adapter stores', () => {
  /** Two tenants with one adapter: a user is one person for both, with one password. */
  async function tenants(more: Partial<Adapter> = {}) {
    const user = await store.createUser({
      id: 'ignored',
      email: 'ann@example.com',
      emailVerified: new Date(),
    })
    const adapter = { ...store, ...more }
    const at = (audience: string) => {
      const auth = createTestAuth({
        adapter,
        providers: [
          {
            id: 'password',
            name: 'Password',
            type: 'credentials',
            credentials: {},
            authorize: ({ id }) => ({ id: String(id || user.id) }),
          },
        ],
        session: { strategy: 'jwt', audience, track: true },
      })
      return {
        auth,
        async signIn(id = '') {
          const visitor = new Visitor(auth.handle)
          await visitor.post('/callback/password', { id })
          return visitor
        },
      }
    }
    return { user, a: at('a'), b: at('b') }
  }

  it('is signed out of all tenants at once, since a password that is known is known to all', async () => {
    const { user, a, b } = await tenants()
    const visitors = [await a.signIn(), await b.signIn()]
    await a.auth.users.endSessions(user.id)
    for (const visitor of visitors) expect(await isSignedIn(visitor)).toBe(false)
    for (const visitor of [await a.signIn(), await b.signIn()]) {
      expect(await isSignedIn(visitor)).toBe(true)
      expect(await listOf(visitor)).toHaveLength(1)
    }
  })

  it('is so as well if the adapter does not say', async () => {
    const getUser = () => {
      throw new Error('invalid input syntax for type uuid')
    }
    const { user, a, b } = await tenants({ getUser })
    const visitors = [await a.signIn(), await b.signIn()]
    await a.auth.users.endSessions(user.id)
    for (const visitor of visitors) expect(await isSignedIn(visitor)).toBe(false)
  })

  it('has nothing to do with one whom it does not store', async () => {
    const { a, b } = await tenants()
    const visitors = [await a.signIn('7'), await b.signIn('7')] as const
    await a.auth.users.endSessions('7')
    expect(await isSignedIn(visitors[0])).toBe(false)
    expect(await isSignedIn(visitors[1])).toBe(true)
  })
})
