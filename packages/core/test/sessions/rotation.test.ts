import type { Adapter } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { at, createNetwork } from '../revocation/network.ts'
import { rotate, Visitor } from '../visitor.ts'
import { COOKIE, createSite, DAY, isIn, SECOND, STRATEGIES, sessionCookies } from './site.ts'

type Site = Awaited<ReturnType<typeof createSite>>

/** What gives a browser a new session in place of the one that it has. */
const REASONS: Readonly<Record<string, (site: Site, visitor: Visitor) => Promise<unknown>>> = {
  'signing in again': ({ ways }, visitor) => ways.password(visitor),
  'adding an account': ({ ways }, visitor) => ways.provider(visitor),
  'adding a passkey': ({ addPasskey }, visitor) => addPasskey(visitor),
  'the application’s wish': ({ auth }, visitor) => rotate(auth, visitor),
}

describe.each(STRATEGIES)('a %s session that is replaced', strategy => {
  describe.each(Object.entries(REASONS))('by %s', (_name, replace) => {
    it('has another token, and the old one ends in half a minute, at every server', async () => {
      const site = await createSite(strategy)
      const { clock, signedIn, node, auth } = site
      const ann = await signedIn()
      const copies = [at(auth, ann), at(node(), ann)]
      for (const copy of copies) expect(await isIn(copy)).toBe(true)
      await replace(site, ann)
      expect(ann.cookies.get(COOKIE)).not.toBe(copies[0]?.cookies.get(COOKIE))
      clock.now += 29 * SECOND
      for (const copy of copies) expect(await isIn(copy)).toBe(true)
      clock.now += 12 * SECOND // one look at the log, where nobody tells
      // Also at a server that was not there when it happened.
      for (const copy of [...copies, at(node(), copies[0] as Visitor)]) {
        expect(await isIn(copy)).toBe(false)
      }
      expect(await isIn(ann)).toBe(true)
    })
  })

  it('sets no cookie over that of the new one, due or not, nor by an update', async () => {
    const { clock, signedIn, ways, auth, node } = await createSite(strategy)
    const ann = await signedIn()
    clock.now += 2 * DAY
    const copies = [at(auth, ann), at(node(), ann)]
    await ways.password(ann)
    for (const copy of copies) {
      for (let tries = 0; tries < 3; tries++) {
        const answer = await copy.get('/session')
        expect(await answer.json()).not.toBeNull()
        expect(sessionCookies(answer)).toEqual([])
      }
      const updated = await copy.postJson('/session', { data: { name: 'Eve' } })
      expect(await updated.json()).not.toBeNull()
      expect(sessionCookies(updated)).toEqual([])
    }
  })

  it('adds nothing to its user any more', async () => {
    const { signedIn, ways, auth, addPasskey, store } = await createSite(strategy)
    const ann = await signedIn()
    const thief = at(auth, ann)
    await ways.password(ann)
    await addPasskey(thief).catch(() => {})
    expect(await store.listAuthenticatorsByUserId('ann')).toEqual([])
  })

  it('gets no new token itself', async () => {
    const { signedIn, ways, auth } = await createSite(strategy)
    const ann = await signedIn()
    const thief = at(auth, ann)
    await ways.password(ann)
    const before = thief.cookies.get(COOKIE)
    await rotate(auth, thief)
    expect(thief.cookies.get(COOKIE)).toBe(before)
    expect(await isIn(ann)).toBe(true)
  })

  it('can be signed out at once, and with it all sessions of the user', async () => {
    const { signedIn, ways, auth, node } = await createSite(strategy)
    const ann = await signedIn()
    const [one, other] = [at(auth, ann), at(auth, ann)]
    await ways.password(ann)
    await one.post('/signout')
    expect(await isIn(other)).toBe(false)
    expect(await isIn(ann)).toBe(true)

    const late = at(auth, ann)
    await ways.password(ann)
    await auth.users.endSessions('ann')
    expect(await isIn(late)).toBe(false)
    expect(await isIn(at(node(), late))).toBe(false)
    expect(await isIn(ann)).toBe(false)
  })

  it('does not come back for a moment when somebody signs in over it later', async () => {
    const { clock, signedIn, ways, auth, node } = await createSite(strategy)
    const ann = await signedIn()
    const thief = at(auth, ann)
    await ways.password(ann)
    clock.now += 60 * SECOND
    const copy = at(node(), thief)
    await ways.password(at(node(), thief))
    expect(await isIn(copy)).toBe(false)
    expect(await isIn(thief)).toBe(false)
  })

  it('is not ended anywhere else of the same person', async () => {
    const { clock, signedIn, ways } = await createSite(strategy)
    const [phone, laptop] = [await signedIn(), await signedIn()]
    await ways.password(phone)
    clock.now += 60 * SECOND
    expect(await isIn(laptop)).toBe(true)
  })
})

describe('a session that ends while it gets a new token', () => {
  it.each(STRATEGIES)('does not live on in that (%s)', async strategy => {
    const site = await createSite(strategy)
    const { node, signedIn, auth, store, log } = site
    const ann = await signedIn()
    const other = at(auth, ann)
    let signOut: (() => Promise<unknown>) | null = () => other.post('/signout')
    const meanwhile = async () => {
      const act = signOut
      signOut = null
      await act?.()
    }
    // After the session was found to be alive, and before anything is written.
    const slow: Adapter = {
      ...store,
      async createSession(session) {
        await meanwhile()
        return store.createSession(session)
      },
    }
    const server = node({
      store: slow,
      session: {
        revocation: {
          log: {
            ...log,
            async find(keys) {
              const found = await log.find(keys)
              await meanwhile()
              return found
            },
          },
        },
      },
    })
    expect(await rotate(server, ann)).toBeNull()
    expect(await isIn(ann)).toBe(false)
  })
})

describe('a renewal that is under way when a session is replaced', () => {
  it.each(['ours', 'published'] as const)(
    'extends nothing, with the methods of adapters that are %s',
    async methods => {
      const { clock, node, signedIn, auth, store, ways } = await createSite('database')
      const ann = await signedIn()
      const copy = at(auth, ann)
      clock.now += 2 * DAY
      let replace: (() => Promise<unknown>) | null = () => ways.password(ann)
      const meanwhile = async () => {
        const act = replace
        replace = null
        await act?.()
      }
      const { getAndRenewSession, ...published } = store
      const slow: Adapter = {
        ...published,
        async updateSession(changes) {
          await meanwhile()
          return store.updateSession(changes)
        },
        ...(methods === 'ours' && {
          async getAndRenewSession(token, renewal) {
            await meanwhile()
            return getAndRenewSession(token, renewal)
          },
        }),
      }
      const answer = await at(node({ store: slow }), copy).get('/session')
      expect(sessionCookies(answer)).toEqual([])
      expect(await answer.json()).not.toBeNull()
      clock.now += 60 * SECOND
      expect(await isIn(copy)).toBe(false)
      expect(await isIn(ann)).toBe(true)
    },
  )
})

describe.each(STRATEGIES)('a %s session that is rotated', strategy => {
  it('lasts as long as one that is renewed', async () => {
    const { auth, signedIn, clock } = await createSite(strategy)
    const ann = await signedIn()
    clock.now += 20 * DAY
    const session = await rotate(auth, ann)
    expect(session).toMatchObject({ expires: new Date(clock.now + 30 * DAY).toISOString() })
    clock.now += 20 * DAY
    expect(await isIn(ann)).toBe(true)
  })
})

describe('sessions.rotate', () => {
  it('has nothing to do for a stranger', async () => {
    const { auth } = await createSite('jwt')
    const request = { headers: {}, url: 'https://app.example.com/' }
    expect(await auth.sessions.rotate(request)).toBeNull()
    expect(auth.takeSetCookies(request)).toEqual([])
  })

  it('is refused to the pages of others', async () => {
    const { auth, signedIn } = await createSite('jwt')
    const ann = await signedIn()
    const headers = {
      cookie: ann.cookieHeader(),
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
    }
    await expect(
      auth.sessions.rotate({ headers, url: 'https://app.example.com/' }),
    ).rejects.toThrow()
  })

  it('gives a token of a tenant to that tenant', async () => {
    const { auth, signedIn, node } = await createSite('database', { audience: 'one' })
    const ann = await signedIn()
    expect(await rotate(auth, ann)).not.toBeNull()
    expect(await isIn(ann)).toBe(true)
    expect(await isIn(at(node({ session: { audience: 'two' } }), ann))).toBe(false)
  })
})

it('asks the log of ended sessions four times for a new token', async () => {
  const { node, state } = createNetwork()
  const auth = node()
  const ann = new Visitor(auth.handle)
  await ann.post('/callback/password', { id: 'ann' })
  state.calls.length = 0
  await rotate(auth, ann)
  expect(state.calls.filter(call => call !== 'since')).toEqual(['find', 'find', 'end', 'find'])
})
