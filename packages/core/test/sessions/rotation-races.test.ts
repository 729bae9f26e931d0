import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import type { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { at } from '../revocation/network.ts'
import {
  COOKIE,
  createSite,
  DAY,
  HOUR,
  isIn,
  once,
  rotated,
  SECOND,
  STRATEGIES,
  sessionCookies,
} from './site.ts'

type Site = Awaited<ReturnType<typeof createSite>>

/** The rows as a collation finds them that does not tell capitals, such as the default of MySQL. */
function ignoringCase(store: ReturnType<typeof MemoryAdapter>): Adapter {
  const { getAndRenewSession: _, listSessions, ...published } = store
  const named = async (token: string) => {
    const all = await listSessions('ann')
    const found = all.find(({ sessionToken }) => sessionToken.toLowerCase() === token.toLowerCase())
    return found?.sessionToken ?? token
  }
  return {
    ...published,
    getSessionAndUser: async token => store.getSessionAndUser(await named(token)),
    updateSession: async changes =>
      store.updateSession({ ...changes, sessionToken: await named(changes.sessionToken) }),
    deleteSession: async token => (await store.deleteSession(await named(token))) ?? null,
  }
}

async function rowOf(store: Pick<Site['store'], 'listSessions'>): Promise<string> {
  return (await store.listSessions('ann'))[0]?.sessionToken ?? ''
}

describe('a column of hashed tokens that leaked, in a store that ignores case', () => {
  it.each([true, false, 'migrate'] as const)('signs nobody in (hashTokens: %s)', async later => {
    const { node, store, signedIn, visitor } = await createSite('database')
    const rows = ignoringCase(store)
    await signedIn({}, node({ store: rows, session: { hashTokens: true } }))
    const name = await rowOf(store)
    const thief = at(node({ store: rows, session: { hashTokens: later } }), visitor())
    thief.cookies.set(COOKIE, name.toUpperCase())
    expect(name).toMatch(/^h1\./)
    expect(await isIn(thief)).toBe(false)
  })
})

describe('the limits of a database session', () => {
  it('are not lost by writing them in capitals while tokens are being hashed', async () => {
    const session = { absoluteAge: (8 * HOUR) / SECOND }
    const { node, store, signedIn, clock } = await createSite('database', session)
    const rows = ignoringCase(store)
    const ann = await signedIn({}, node({ store: rows }))
    const migrating = at(node({ store: rows, session: { ...session, hashTokens: 'migrate' } }), ann)
    migrating.cookies.set(COOKIE, (ann.cookies.get(COOKIE) ?? '').replace('~b', '~B'))
    await migrating.session()
    clock.now += 9 * HOUR
    expect(await isIn(migrating)).toBe(false)
  })

  it.each(STRATEGIES)('hold whatever time a provider names (%s)', async strategy => {
    const session = { absoluteAge: (8 * HOUR) / SECOND }
    const { openId, visitor, ways, clock } = await createSite(strategy, session)
    const { claims: usual } = openId.faults
    openId.faults.claims = claims => ({
      ...usual?.(claims),
      session_expiry: 5_000_000_000_000, // a date, and eleven letters as a number to base 36
    })
    const ann = visitor()
    await ways.provider(ann)
    expect(await isIn(ann)).toBe(true)
    clock.now += 9 * HOUR
    expect(await isIn(ann)).toBe(false)
  })
})

describe.each(STRATEGIES)(
  'two copies of a %s session that ask for a new token at once',
  strategy => {
    it('do not both get one', async () => {
      const { node, signedIn, clock } = await createSite(strategy)
      const ann = await signedIn()
      const all = await Promise.all([rotated(node(), ann), rotated(node(), ann)])
      clock.now += 2 * DAY
      const isAlive = await Promise.all(all.map(each => each !== null && isIn(each)))
      expect(isAlive.filter(Boolean)).toHaveLength(1)
    })
  },
)

describe('a session that is signed out while it gets a new token', () => {
  it('does not live on in that, though it was there when it was looked for', async () => {
    const { node, signedIn, auth, store } = await createSite('database')
    const ann = await signedIn()
    const other = at(auth, ann)
    const meanwhile = once(() => other.post('/signout'))
    const slow: Adapter = {
      ...store,
      async deleteSession(token) {
        await meanwhile()
        return (await store.deleteSession(token)) ?? null
      },
    }
    const renewed = await rotated(node({ store: slow }), ann)
    expect(renewed !== null && (await isIn(renewed))).toBe(false)
  })
})

describe('a session that is signed out while its token is being hashed', () => {
  it('does not come back', async () => {
    const { node, signedIn, store } = await createSite('database')
    const ann = await signedIn()
    const migrate = { hashTokens: 'migrate' as const }
    const leaving = at(node({ store, session: migrate }), ann)
    const meanwhile = once(() => leaving.post('/signout'))
    const slow: Adapter = {
      ...store,
      async createSession(session) {
        await meanwhile()
        return store.createSession(session)
      },
    }
    const copy = at(node({ store: slow, session: migrate }), ann)
    await copy.session()
    expect(await isIn(copy)).toBe(false)
  })
})

describe.each(STRATEGIES)('a %s session that was replaced', strategy => {
  it('changes nothing through the callbacks of the application', async () => {
    const changes: unknown[] = []
    const callbacks = {
      session: ({ session, newSession, trigger }: Parameters<SessionCallback>[0]) => {
        if (trigger === 'update') changes.push(newSession)
        return session
      },
    }
    const { signedIn, ways, auth } = await createSite(strategy, {}, { callbacks })
    const ann = await signedIn()
    const thief = at(auth, ann)
    await ways.password(ann)
    await thief.postJson('/session', { data: { name: 'Eve' } })
    expect(changes).toEqual([])
  })

  it('is over when the session that came of it is signed out', async () => {
    const { signedIn, auth } = await createSite(strategy)
    const ann = await signedIn()
    const thief = at(auth, ann)
    const renewed = await rotated(auth, ann)
    await renewed?.post('/signout')
    expect(await isIn(thief)).toBe(false)
  })
})

describe('a renewal that is under way when a session is replaced', () => {
  it('sets no cookie over the new one, with an adapter that answers undefined', async () => {
    const { clock, node, signedIn, auth, store, ways } = await createSite('database')
    const ann = await signedIn()
    const copy = at(auth, ann)
    clock.now += 2 * DAY
    const meanwhile = once(() => ways.password(ann))
    const { getAndRenewSession: _, ...published } = store
    const slow: Adapter = {
      ...published,
      async updateSession(changes) {
        await meanwhile()
        return (await store.updateSession(changes)) ?? undefined
      },
    }
    const answer = await at(node({ store: slow }), copy).get('/session')
    expect(sessionCookies(answer)).toEqual([])
  })
})

type SessionCallback = NonNullable<
  NonNullable<import('@siteauth/core').AuthConfig['callbacks']>['session']
>
