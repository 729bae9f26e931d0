import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { at } from '../revocation/network.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import {
  COOKIE,
  cookieEnd,
  createSite,
  DAY,
  HOUR,
  isIn,
  SECOND,
  STRATEGIES,
  type Strategy,
} from './site.ts'

const WEEK = 7 * DAY

describe.each(STRATEGIES)('a %s session with absoluteAge', strategy => {
  it('ends then, however much it is used', async () => {
    const { clock, signedIn } = await createSite(strategy, { absoluteAge: WEEK / SECOND })
    const began = clock.now
    const ann = await signedIn()
    while (clock.now < began + WEEK - HOUR) {
      expect(await isIn(ann)).toBe(true)
      clock.now += HOUR
    }
    clock.now = began + WEEK + 15 * SECOND // what two clocks may differ by
    expect(await isIn(ann)).toBe(false)
  })

  it('never says that it lasts longer, nor does its cookie or its row', async () => {
    const { clock, signedIn, store } = await createSite(strategy, {
      absoluteAge: WEEK / SECOND,
      updateAge: 0,
    })
    const end = clock.now + WEEK
    const ann = await signedIn()
    for (let day = 0; day < 7; day++) {
      const answer = await ann.get('/session')
      const { expires } = (await answer.clone().json()) as { expires: string }
      expect(Date.parse(expires)).toBeLessThanOrEqual(end)
      expect(cookieEnd(answer) > end).toBe(false)
      for (const row of await store.listSessions('ann')) {
        expect(row.expires.getTime()).toBeLessThanOrEqual(end)
      }
      clock.now += DAY
    }
  })

  it('ends when it is idle as before', async () => {
    const { clock, signedIn } = await createSite(strategy, {
      maxAge: HOUR / SECOND,
      absoluteAge: WEEK / SECOND,
    })
    const ann = await signedIn()
    clock.now += 2 * HOUR
    expect(await isIn(ann)).toBe(false)
  })

  it('is not prolonged by a new token, nor by an update', async () => {
    const { clock, signedIn, auth } = await createSite(
      strategy,
      { absoluteAge: WEEK / SECOND },
      { callbacks: { jwt: ({ token, session }) => ({ ...token, ...(session as object) }) } },
    )
    const ann = await signedIn()
    clock.now += 4 * DAY
    const headers = { cookie: ann.cookieHeader() }
    const request = { headers, url: 'https://app.example.com/' }
    await auth.sessions.rotate(request)
    const setCookies = auth.takeSetCookies(request)
    const [, token = ''] = new RegExp(`${COOKIE}=([^;]+)`).exec(setCookies.join('; ')) ?? []
    ann.cookies.set(COOKIE, token)
    const later = { siteauth: { bgn: clock.now + DAY } }
    expect((await ann.postJson('/session', { data: later })).status).toBe(200)
    expect(await isIn(ann)).toBe(true)
    clock.now += 4 * DAY
    expect(await isIn(ann)).toBe(false)
  })

  it('begins anew with a new sign-in', async () => {
    const { clock, signedIn, ways } = await createSite(strategy, { absoluteAge: WEEK / SECOND })
    const ann = await signedIn()
    clock.now += 4 * DAY
    await ways.password(ann)
    clock.now += 4 * DAY
    expect(await isIn(ann)).toBe(true)
  })

  it('counts at once where it has become shorter', async () => {
    const { clock, signedIn, node } = await createSite(strategy, { absoluteAge: WEEK / SECOND })
    const ann = await signedIn()
    clock.now += 2 * DAY
    const shorter = node({ session: { absoluteAge: DAY / SECOND } })
    expect(await isIn(at(shorter, ann))).toBe(false)
  })
})

describe('a session from before absoluteAge was set', () => {
  it('counts from when its token was issued (jwt)', async () => {
    const { clock, signedIn, node } = await createSite('jwt')
    const limited = node({ session: { absoluteAge: WEEK / SECOND } })
    const ann = at(limited, await signedIn())
    for (let day = 0; day < 6; day++) {
      clock.now += DAY
      expect(await isIn(ann)).toBe(true)
    }
    clock.now += 2 * DAY
    expect(await isIn(ann)).toBe(false)
  })

  it('counts from when it was last renewed (database)', async () => {
    const { clock, signedIn, node } = await createSite('database')
    const began = clock.now
    const ann = at(node({ session: { absoluteAge: WEEK / SECOND } }), await signedIn())
    clock.now += 6 * DAY
    expect(await ann.session()).toMatchObject({ expires: new Date(began + WEEK).toISOString() })
    clock.now += 2 * DAY
    expect(await isIn(ann)).toBe(false)
  })
})

describe.each(STRATEGIES)('a provider that limits a %s session', strategy => {
  async function siteWith(limit: unknown, where: 'claims' | 'tokens' = 'claims') {
    const site = await createSite(strategy)
    const { faults } = site.openId
    const { claims = each => each } = faults
    if (where === 'tokens') faults.tokens = each => ({ ...each, session_expiry: limit })
    else faults.claims = each => ({ ...claims(each), session_expiry: limit })
    return site
  }

  it.each(['claims', 'tokens'] as const)('is obeyed, by its %s', async where => {
    const end = Date.UTC(2030, 0, 3)
    const { clock, visitor, ways } = await siteWith(end / SECOND, where)
    const ann = visitor()
    expect(cookieEnd(await ways.provider(ann))).toBe(end)
    clock.now += 1.5 * DAY
    expect(cookieEnd(await ann.get('/session')) > end).toBe(false)
    expect(await ann.session()).toMatchObject({ expires: new Date(end).toISOString() })
    clock.now = end + 15 * SECOND
    expect(await isIn(ann)).toBe(false)
  })

  it('is not believed when it says that the session is over', async () => {
    const { visitor, ways } = await siteWith(Date.UTC(2029, 0, 1) / SECOND)
    const ann = visitor()
    const answer = await ways.provider(ann)
    expect(answer.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await isIn(ann)).toBe(false)
  })

  it.each([3600, '2000000000', null, {}, 1e300])('says nothing by %j', async limit => {
    const { clock, visitor, ways } = await siteWith(limit)
    const ann = visitor()
    expect(cookieEnd(await ways.provider(ann))).toBe(clock.now + 30 * DAY)
  })
})

describe('what is sealed in a token', () => {
  it('is demanded of an encoding of the application’s own', async () => {
    const { auth, errors, visitor, ways } = await createSite(
      'jwt',
      { absoluteAge: 60, revocation: false },
      {
        jwt: {
          encode: ({ token: { siteauth: _, ...rest } = {} }) => JSON.stringify(rest),
          decode: ({ token = '' }) => JSON.parse(token),
        },
      },
    )
    expect(auth).toBeDefined()
    const ann = visitor()
    await ways.password(ann)
    expect(errors.map(each => each.message).join()).toContain('must keep the claim "siteauth"')
    expect(ann.cookies.has(COOKIE)).toBe(false)
  })

  it('limits a session without any adapter, too', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const auth = createTestAuth({
      trustHost: true,
      providers: [{ id: 'p', name: 'P', type: 'credentials', credentials: {}, authorize }],
      session: { absoluteAge: WEEK / SECOND },
      ports: { now: () => clock.now },
    })
    const ann = new Visitor(auth.handle)
    await ann.post('/callback/p')
    clock.now += 6 * DAY
    expect(await isIn(ann)).toBe(true)
    clock.now += 2 * DAY
    expect(await isIn(ann)).toBe(false)
  })
})

const authorize = () => ({ id: 'ann', name: 'Ann' })

describe('what is wrong with the options', () => {
  it.each([
    [{ absoluteAge: 0 }, 'session.absoluteAge must be a number of seconds greater than 0.'],
    [{ absoluteAge: Number.NaN }, 'session.absoluteAge must be'],
    [{ remember: 'maybe' }, `session.remember must be true, false or 'ask'.`],
    [{ hashTokens: 'yes' }, `session.hashTokens must be true, false, 'accept' or 'migrate'.`],
  ])('is said: %j', async (session, message) => {
    const strategy: Strategy = 'database'
    const auth = createTestAuth({
      trustHost: true,
      adapter: MemoryAdapter(),
      session: { strategy, ...(session as object) },
    })
    await expect(auth.getSession({ headers: {} })).rejects.toThrow(message)
  })
})
