import type { AuthConfig } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { readWithoutRenewal, type Visitor } from '../visitor.ts'
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
  type Strategy,
  sessionCookies,
} from './site.ts'

type Site = Awaited<ReturnType<typeof createSite>>
type JwtParams = Parameters<NonNullable<NonNullable<AuthConfig['callbacks']>['jwt']>>[0]
const URL = 'https://app.example.com/'

function demand<T>(value: T | null | undefined): T {
  if (value == null) throw new Error('nothing came')
  return value
}

/** What a published adapter has: none of our own methods. */
function published(store: Site['store']): Adapter {
  const {
    getAndRenewSession: _renew,
    listSessions: _list,
    deleteSessions: _all,
    deleteOtherSessions: _others,
    extends: _extends,
    ...methods
  } = store
  return methods
}

/** As `@auth/prisma-adapter`: what is not there cannot be deleted or changed. */
function likePrisma(store: Site['store']): Adapter {
  const demandRow = (token: string) => {
    if (!store.getSessionAndUser(token)) throw new Error('P2025: record not found')
  }
  return {
    ...published(store),
    deleteSession(token) {
      demandRow(token)
      return store.deleteSession(token)
    },
    updateSession(changes) {
      demandRow(changes.sessionToken)
      return store.updateSession(changes)
    },
  }
}

describe('a store that fails to delete what is not there, as Prisma does', () => {
  it('ends the new token too when somebody signs out with the old one', async () => {
    const { node, store, signedIn } = await createSite('database')
    const auth = node({ store: likePrisma(store) })
    const ann = await signedIn({}, auth)
    const old = at(auth, ann)
    const renewed = demand(await rotated(auth, ann))
    await old.post('/signout')
    expect(await isIn(renewed)).toBe(false)
  })

  it('tells both of two requests at once that a session has expired', async () => {
    const { node, store, signedIn, clock } = await createSite('database')
    const auth = node({ store: likePrisma(store) })
    const ann = await signedIn({}, auth)
    clock.now += 31 * DAY
    const answers = await Promise.all(
      [at(auth, ann), at(auth, ann)].map(one => one.get('/session')),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  it('lets somebody sign out whose session is over', async () => {
    const { node, store, signedIn } = await createSite('database')
    const auth = node({ store: likePrisma(store) })
    const ann = await signedIn({}, auth)
    const tab = at(auth, ann)
    await ann.post('/signout')
    const answer = await tab.post('/signout')
    expect(answer.headers.get('location')).not.toContain('error')
  })
})

describe('a cookie of more than a kilobyte, such as a token from before sessions were rows', () => {
  it('is nobody', async () => {
    const { visitor } = await createSite('database')
    const ann = visitor()
    ann.cookies.set(COOKIE, 'e'.repeat(1500))
    expect((await ann.get('/session')).status).toBe(200)
  })

  it('goes, so that it does not come again', async () => {
    const { visitor } = await createSite('database')
    const ann = visitor()
    ann.cookies.set(COOKIE, 'e'.repeat(1500))
    await ann.get('/session')
    expect(ann.cookies.has(COOKIE)).toBe(false)
  })
})

describe('an old token, when its 30 seconds are over', () => {
  it('ends nobody’s new session, at a server that was just started (database)', async () => {
    const { auth, node, signedIn, clock } = await createSite('database')
    const ann = await signedIn()
    const thief = at(node(), ann)
    const renewed = demand(await rotated(auth, ann))
    // Servers whose clocks are two minutes apart must agree on when that is.
    clock.now += 151 * SECOND
    await thief.post('/signout')
    expect(await isIn(renewed)).toBe(true)
  })

  it('ends nobody’s new session, at a server that was just started (jwt)', async () => {
    const { auth, node, signedIn, clock } = await createSite('jwt')
    const ann = await signedIn()
    const thief = at(node(), ann)
    const renewed = demand(await rotated(auth, ann))
    clock.now += 31 * SECOND
    await thief.post('/signout')
    clock.now += 11 * SECOND
    expect(await isIn(renewed)).toBe(true)
  })

  it('ends nobody’s new session, where ends are looked for at renewal', async () => {
    const session = { revocation: { check: 'on-renewal' as const }, updateAge: 60 }
    const { auth, node, signedIn, clock } = await createSite('jwt', session)
    const ann = await signedIn()
    const thief = at(node(), ann)
    const renewed = demand(await rotated(auth, ann))
    clock.now += 61 * SECOND
    await thief.post('/signout')
    expect(await isIn(renewed)).toBe(true)
  })

  it('is not read because the new one was, where ends are looked for at renewal', async () => {
    const session = { revocation: { check: 'on-renewal' as const }, updateAge: 60 }
    const { auth, signedIn, clock } = await createSite('jwt', session)
    const ann = await signedIn()
    const thief = at(auth, ann)
    const renewed = demand(await rotated(auth, ann))
    clock.now += 120 * SECOND
    const read = (visitor: Visitor) =>
      readWithoutRenewal(auth, { headers: { cookie: visitor.cookieHeader() }, url: URL })
    await read(renewed)
    expect(await read(thief)).toBeNull()
  })

  it('does not put out the new one, where ends are looked for at renewal', async () => {
    const session = { revocation: { check: 'on-renewal' as const }, updateAge: 60 }
    const { auth, signedIn, clock } = await createSite('jwt', session)
    const ann = await signedIn()
    const thief = at(auth, ann)
    const renewed = demand(await rotated(auth, ann))
    clock.now += 120 * SECOND
    const read = (visitor: Visitor) =>
      readWithoutRenewal(auth, { headers: { cookie: visitor.cookieHeader() }, url: URL })
    await read(thief)
    expect(await read(renewed)).not.toBeNull()
  })
})

describe('servers that begin to hash tokens one after the other', () => {
  it('sign nobody out', async () => {
    const { node, signedIn } = await createSite('database')
    const auth = node({ session: { hashTokens: 'accept' } })
    const ann = await signedIn({}, auth)
    await at(node({ session: { hashTokens: 'migrate' } }), ann).session()
    expect(await isIn(at(auth, ann))).toBe(true)
  })

  it('sign somebody out for good, whichever is asked', async () => {
    const { node, signedIn } = await createSite('database')
    const auth = node({ session: { hashTokens: 'accept' } })
    const ann = await signedIn({}, auth)
    const later = node({ session: { hashTokens: 'migrate' } })
    const copy = at(later, ann)
    await copy.session()
    await at(auth, ann).post('/signout')
    expect(await isIn(copy)).toBe(false)
  })
})

describe('a server that stops while it gives a session a new token', () => {
  it('does not keep the session from getting one later', async () => {
    const { auth, node, store, signedIn, clock } = await createSite('database')
    const ann = await signedIn()
    let writes = 0
    const stopping: Adapter = {
      ...store,
      createSession: session => {
        writes++
        return store.createSession(session)
      },
      getSessionAndUser: token => {
        if (writes === 2) throw new Error('connection lost')
        return store.getSessionAndUser(token)
      },
    }
    await rotated(node({ store: stopping }), ann).catch(() => null)
    clock.now += 31 * SECOND
    const renewed = demand(await rotated(auth, ann))
    expect(await isIn(renewed)).toBe(true)
  })
})

describe('a session from before absoluteAge was set', () => {
  it('is not ended by a new token', async () => {
    const { node, signedIn, clock } = await createSite('database')
    const ann = await signedIn()
    clock.now += DAY
    const limited = node({ session: { absoluteAge: (10 * DAY) / SECOND } })
    const renewed = demand(await rotated(limited, ann))
    expect(await isIn(renewed)).toBe(true)
  })
})

describe('absoluteAge, of a session in a cookie without a log', () => {
  const absoluteAge = (10 * DAY) / SECOND

  const sameClaims = ({ token }: JwtParams) => token
  const fewClaims = ({ token: { sub, name, email } }: JwtParams) => ({ sub, name, email })

  async function isInAfterTwelveDays(jwt: (params: JwtParams) => object): Promise<boolean> {
    const { node, signedIn, clock } = await createSite('jwt', { revocation: false }, {
      callbacks: { jwt },
    } as Partial<AuthConfig>)
    const limited = node({ session: { absoluteAge } })
    const ann = await signedIn({}, limited)
    for (let day = 0; day < 12; day++) {
      clock.now += DAY
      const elsewhere = at(node(), ann)
      await elsewhere.session()
      ann.cookies.set(COOKIE, elsewhere.cookies.get(COOKIE) ?? '')
    }
    return isIn(at(limited, ann))
  }

  it('is not escaped by a server that does not know it', async () => {
    expect(await isInAfterTwelveDays(sameClaims)).toBe(false)
  })

  it('is not escaped by such a server, if the jwt callback keeps few claims', async () => {
    expect(await isInAfterTwelveDays(fewClaims)).toBe(false)
  })

  it('ends tokens of an encoding that says no times', async () => {
    const jwt = {
      encode: ({ token = {} }: { token?: object }) => {
        const { iat: _, exp: __, ...claims } = token as Record<string, unknown>
        return Buffer.from(JSON.stringify(claims)).toString('base64url')
      },
      decode: ({ token = '' }: { token?: string }) =>
        JSON.parse(Buffer.from(token, 'base64url').toString()),
    }
    const { node, signedIn, clock } = await createSite('jwt', { revocation: false }, { jwt })
    const ann = await signedIn()
    const limited = at(node({ session: { absoluteAge } }), ann)
    for (let day = 0; day < 60; day++) {
      await limited.session()
      clock.now += DAY
    }
    expect(await isIn(limited)).toBe(false)
  })
})

describe('absoluteAge', () => {
  it.each(STRATEGIES)(
    'is not escaped by adding a passkey, which proves nothing anew (%s)',
    async strategy => {
      const session = { absoluteAge: (8 * HOUR) / SECOND }
      const { signedIn, clock, addPasskey } = await createSite(strategy, session)
      const ann = await signedIn()
      clock.now += 7 * HOUR
      await addPasskey(ann)
      expect(await isIn(ann)).toBe(true)
      clock.now += 2 * HOUR
      expect(await isIn(ann)).toBe(false)
    },
  )
})

describe('what a provider allows', () => {
  it.each(STRATEGIES)('is not escaped by adding a passkey (%s)', async strategy => {
    const { visitor, ways, openId, clock, addPasskey } = await createSite(strategy)
    const { claims: usual } = openId.faults
    openId.faults.claims = claims => ({
      ...usual?.(claims),
      session_expiry: Math.floor((clock.now + HOUR) / SECOND),
    })
    const ann = visitor()
    await ways.provider(ann)
    expect(await isIn(ann)).toBe(true)
    await addPasskey(ann)
    expect(await isIn(ann)).toBe(true)
    clock.now += 2 * HOUR
    expect(await isIn(ann)).toBe(false)
  })
})

/** Rows without a unique name, of which one at a time is found and deleted: MongoDB without an index. */
function withoutUniqueNames(store: Site['store']): Adapter {
  const rows: Parameters<Site['store']['createSession']>[0][] = []
  const indexOf = (token: string) => rows.findIndex(({ sessionToken }) => sessionToken === token)
  return {
    ...published(store),
    createSession(session) {
      rows.push({ ...session })
      return session
    },
    async getSessionAndUser(token) {
      const session = rows[indexOf(token)]
      const user = session && (await store.getUser(session.userId))
      return user ? { session: { ...session }, user } : null
    },
    updateSession(changes) {
      const row = rows[indexOf(changes.sessionToken)]
      return row ? Object.assign(row, changes) : null
    },
    deleteSession(token) {
      const index = indexOf(token)
      return index === -1 ? null : (rows.splice(index, 1)[0] ?? null)
    },
  }
}

describe('a store whose tokens need not be unique', () => {
  it('has no session left over when somebody signs out after two requests for a new token', async () => {
    const { node, store, signedIn } = await createSite('database')
    const auth = node({ store: withoutUniqueNames(store) })
    const ann = await signedIn({}, auth)
    const all = await Promise.all([rotated(auth, ann), rotated(auth, ann)])
    const renewed = demand(all.find(each => each !== null))
    const thief = at(auth, renewed)
    await renewed.post('/signout')
    expect(await isIn(thief)).toBe(false)
  })
})

/** The rows as a collation finds them that does not tell capitals, such as the default of MySQL. */
function ignoringCase(store: Site['store']): Adapter {
  const named = async (token: string) => {
    const all = await store.listSessions('ann')
    const found = all.find(({ sessionToken }) => sessionToken.toLowerCase() === token.toLowerCase())
    return found?.sessionToken ?? token
  }
  return {
    ...published(store),
    getSessionAndUser: async token => store.getSessionAndUser(await named(token)),
    updateSession: async changes =>
      store.updateSession({ ...changes, sessionToken: await named(changes.sessionToken) }),
    deleteSession: async token => (await store.deleteSession(await named(token))) ?? null,
  }
}

describe('a token in capitals, in a store that ignores case', () => {
  it('gets no new token that signing out would not end', async () => {
    const { node, store, signedIn } = await createSite('database')
    const auth = node({ store: ignoringCase(store) })
    const ann = await signedIn({}, auth)
    const thief = at(auth, ann)
    thief.cookies.set(COOKIE, (ann.cookies.get(COOKIE) ?? '').toUpperCase())
    const stolen = await rotated(auth, thief)
    await ann.post('/signout')
    expect(stolen !== null && (await isIn(stolen))).toBe(false)
  })
})

describe('a session that is signed out while it is hashed and gets a new token', () => {
  it('does not live on in that', async () => {
    const { node, store, signedIn } = await createSite('database')
    const migrate = { hashTokens: 'migrate' as const }
    const ann = await signedIn()
    const token = ann.cookies.get(COOKIE) ?? ''
    const elsewhere = node({ session: migrate })
    const stolen: Visitor[] = []
    const meanwhile = once(async () => {
      stolen.push(demand(await rotated(elsewhere, ann)))
    })
    const slow: Adapter = {
      ...store,
      async deleteSession(name) {
        if (name === token) await meanwhile()
        return (await store.deleteSession(name)) ?? null
      },
    }
    await at(node({ store: slow, session: migrate }), ann).post('/signout')
    expect(await isIn(demand(stolen[0]))).toBe(false)
  })
})

describe.each(STRATEGIES)('somebody who signs in over a %s session', strategy => {
  it('leaves no new token of it to others, though they got it a moment before', async () => {
    const { auth, signedIn, ways, clock } = await createSite(strategy)
    const ann = await signedIn()
    const stolen = demand(await rotated(auth, ann))
    await ways.password(ann)
    clock.now += 31 * SECOND
    expect(await isIn(stolen)).toBe(false)
  })

  it('at the moment in which it gets a new token, leaves only one of them', async () => {
    const { auth, node, signedIn, ways, clock, store, log } = await createSite(strategy)
    const ann = await signedIn()
    const meanwhile = once(() => ways.password(at(auth, ann)))
    const slow = {
      ...store,
      async createSession(session: Parameters<typeof store.createSession>[0]) {
        const stored = await store.createSession(session)
        await meanwhile()
        return stored
      },
    }
    const slowLog = {
      ...log,
      async end(...args: Parameters<typeof log.end>) {
        await meanwhile()
        return log.end(...args)
      },
    }
    const thief =
      strategy === 'jwt'
        ? node({ session: { revocation: { log: slowLog } } })
        : node({ store: slow })
    const stolen = await rotated(thief, ann)
    clock.now += 31 * SECOND
    expect(stolen !== null && (await isIn(stolen))).toBe(false)
  })
})

describe('a session that is ended by its handle', () => {
  async function isLeftAfterEnd(strategy: Strategy): Promise<boolean> {
    const { auth, signedIn } = await createSite(strategy, {
      ...(strategy === 'jwt' && { track: true }),
    })
    const ann = await signedIn()
    const lost = await signedIn()
    const thief = at(auth, lost)
    demand(await rotated(auth, lost))
    const ask = { headers: { cookie: ann.cookieHeader() }, url: URL }
    for (const { handle, isCurrent } of await auth.sessions.list(ask)) {
      if (!isCurrent) await auth.sessions.end(ask, handle)
    }
    return isIn(thief)
  }

  it('cannot be read with its token of before, either (jwt)', async () => {
    expect(await isLeftAfterEnd('jwt')).toBe(false)
  })

  it('cannot be read with its token of before, either (database)', async () => {
    expect(await isLeftAfterEnd('database')).toBe(false)
  })
})

describe('claims that a visitor chooses, where the application lets them', () => {
  it('make nobody else of them, at a server that has a log', async () => {
    const { node, signedIn, store, addPasskey } = await createSite(
      'jwt',
      { revocation: false },
      {
        callbacks: {
          // The application holds on to what it knows, and takes the rest from the visitor.
          jwt: ({ token, session }) => ({ ...(session as object | undefined), ...token }),
        },
        // The user whom a session is bound to would not be the one of the claims.
        cookies: { sessionToken: { options: { domain: 'example.com' } } },
      },
    )
    const { id } = await store.createUser({
      id: 'bob',
      name: 'Bob',
      email: 'bob@example.test',
      emailVerified: null,
    })
    const eve = await signedIn()
    await eve.postJson('/session', { data: { siteauth: { sid: 'x', gen: 1, uid: id } } })
    await addPasskey(at(node({ session: { revocation: {} } }), eve))
    expect(await store.listAuthenticatorsByUserId(id)).toEqual([])
  })
})

describe('a stranger', () => {
  it.each([false, true, 'migrate'] as const)(
    'with many cookies costs few statements (hashTokens: %s)',
    async hashTokens => {
      const { node, store } = await createSite('database')
      let asked = 0
      const counting = Object.fromEntries(
        Object.entries(store).map(([name, member]) => [
          name,
          typeof member === 'function'
            ? (...args: unknown[]) => {
                asked++
                return (member as (...args: unknown[]) => unknown)(...args)
              }
            : member,
        ]),
      ) as unknown as Adapter
      const auth = node({ store: counting, session: { hashTokens } })
      const cookie = Array.from({ length: 200 }, (_, at) => `${COOKIE}=random-${at}`).join('; ')
      await auth.handle(
        new Request('https://app.example.com/auth/session', { headers: { cookie } }),
      )
      expect(asked).toBeLessThan(40)
    },
  )
})

describe.each(STRATEGIES)('a callback that fails while a %s session gets a new token', strategy => {
  it('costs nobody the session', async () => {
    const state = { fails: false }
    const { auth, signedIn, clock } = await createSite(
      strategy,
      {},
      {
        callbacks: {
          session({ session }) {
            if (state.fails) throw new Error('no connection')
            return session
          },
        },
      },
    )
    const ann = await signedIn()
    state.fails = true
    await rotated(auth, ann).catch(() => null)
    state.fails = false
    clock.now += 31 * SECOND
    expect(await isIn(ann)).toBe(true)
  })
})

describe('an update that is under way when a session gets a new token', () => {
  it('sets no cookie over the new one (jwt)', async () => {
    let meanwhile: () => Promise<unknown> = async () => {}
    const { auth, signedIn } = await createSite(
      'jwt',
      {},
      {
        callbacks: {
          async jwt({ token, trigger }) {
            if (trigger === 'update') await meanwhile()
            return token
          },
        },
      },
    )
    const ann = await signedIn()
    meanwhile = once(() => rotated(auth, ann))
    const answer = await at(auth, ann).postJson('/session', { data: {} })
    expect(sessionCookies(answer)).toEqual([])
  })
})

describe('sessions that are being hashed', () => {
  it('are listed and ended by their handles, hashed or not', async () => {
    const { node, signedIn } = await createSite('database')
    const ann = await signedIn()
    const other = await signedIn()
    const migrating = node({ session: { hashTokens: 'migrate' } })
    const ask = { headers: { cookie: ann.cookieHeader() }, url: URL }
    for (const { handle, isCurrent } of await migrating.sessions.list(ask)) {
      if (!isCurrent) await migrating.sessions.end(ask, handle)
    }
    expect(await isIn(at(migrating, other))).toBe(false)
    expect(await isIn(at(migrating, ann))).toBe(true)
  })

  it('end with all others, hashed or not', async () => {
    const { node, signedIn } = await createSite('database')
    const ann = await signedIn()
    const other = await signedIn()
    const migrating = node({ session: { hashTokens: 'migrate' } })
    await migrating.sessions.endOthers({ headers: { cookie: ann.cookieHeader() }, url: URL })
    expect(await isIn(at(migrating, other))).toBe(false)
    expect(await isIn(at(migrating, ann))).toBe(true)
  })
})

describe('a session in a cookie that begins while all others are ended', () => {
  it('is ended with all others the next time', async () => {
    const { auth, node, signedIn, store } = await createSite('jwt', { track: true })
    const ann = await signedIn()
    const later: Visitor[] = []
    const trackedSessions = {
      ...store.trackedSessions,
      async list(userId: string, most: number) {
        const listed = await store.trackedSessions.list(userId, most)
        later.push(await signedIn())
        return listed
      },
    }
    const ask = { headers: { cookie: ann.cookieHeader() }, url: URL }
    await node({ store: { ...store, trackedSessions } }).sessions.endOthers(ask)
    await auth.sessions.endOthers(ask)
    expect(await isIn(demand(later[0]))).toBe(false)
  })
})

/** Rows whose tokens are in a column that takes a UUID, which is what they have always been. */
function ofUuids(store: Site['store']): Adapter {
  const check = (token: string) => {
    if (!/^[0-9a-f-]{36}$/.test(token)) throw new Error('invalid input syntax for type uuid')
    return token
  }
  return {
    ...published(store),
    createSession: session => {
      check(session.sessionToken)
      return store.createSession(session)
    },
    getSessionAndUser: token => store.getSessionAndUser(check(token)),
    deleteSession: token => store.deleteSession(check(token)),
  }
}

describe('a store whose column takes a UUID and nothing else, where nothing is configured', () => {
  it('knows that a session is over', async () => {
    const { node, store, visitor } = await createSite('database')
    const stale = at(node({ store: ofUuids(store) }), visitor())
    stale.cookies.set(COOKIE, crypto.randomUUID())
    expect((await stale.get('/session')).status).toBe(200)
  })

  it('ends the session that somebody signs in over', async () => {
    const { node, store, signedIn, ways, clock } = await createSite('database')
    const auth = node({ store: ofUuids(store) })
    const ann = await signedIn({}, auth)
    const thief = at(auth, ann)
    await ways.password(ann)
    clock.now += 31 * SECOND
    expect(await isIn(thief)).toBe(false)
  })

  it('lets somebody sign out', async () => {
    const { node, store, signedIn } = await createSite('database')
    const ann = await signedIn({}, node({ store: ofUuids(store) }))
    const answer = await ann.post('/signout')
    expect(answer.headers.get('location')).not.toContain('error')
  })
})

describe('a session that could not get a new token because the store failed', () => {
  it('cannot be read any more when somebody has signed out', async () => {
    const { auth, node, store, signedIn, clock } = await createSite('database')
    const ann = await signedIn()
    const copy = at(auth, ann)
    const failing: Adapter = {
      ...store,
      createSession(session) {
        if (session.expires.getTime() > clock.now + 60_000) throw new Error('connection lost')
        return store.createSession(session)
      },
    }
    await rotated(node({ store: failing }), ann).catch(() => null)
    await ann.post('/signout')
    expect(await isIn(copy)).toBe(false)
  })
})

it('ending all others ends one that somebody has signed in over, at once', async () => {
  const { auth, signedIn, ways } = await createSite('database')
  const ann = await signedIn()
  const lost = await signedIn()
  const thief = at(auth, lost)
  await ways.password(lost)
  await auth.sessions.endOthers({ headers: { cookie: ann.cookieHeader() }, url: URL })
  expect(await isIn(thief)).toBe(false)
})
