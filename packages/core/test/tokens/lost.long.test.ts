import { describe, expect, it, vi } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from '../oauth/fake-server.ts'
import { Visitor } from '../visitor.ts'
import { createGate, createWorld, tokenOf } from './people.ts'

const HOUR = 3_600_000
const LEASE = 30_000

/** A provider whose next answer to a refresh token is late, though it has done its work. */
function holdAnswer({ provider }: Pick<ReturnType<typeof createWorld>, 'provider'>) {
  const answer = createGate()
  const asked = createGate()
  provider.ways.answer = async token => {
    if (token === null) return undefined
    provider.ways.answer = undefined
    asked.open()
    await answer.passed
    return undefined
  }
  return { asked: asked.passed, release: answer.open }
}

/** A server whose store can be told to refuse changes of accounts, until it is told otherwise or some times. */
function withBrittleStore(world: ReturnType<typeof createWorld>) {
  const store = { isDown: false, refusals: 0 }
  const adapter = {
    ...world.adapter,
    updateAccount: async (...given: Parameters<typeof world.adapter.updateAccount>) => {
      store.refusals -= 1
      if (store.isDown || store.refusals >= 0) throw new Error('the store is down')
      return world.adapter.updateAccount(...given)
    },
  }
  return { store, auth: world.node({ adapter }) }
}

describe('a refresh token that came late', () => {
  it('is kept where another server has meanwhile been refused with the old one', async () => {
    const world = createWorld({ account: { encryptTokens: false } })
    const { auth, node, adapter, clock, provider, signIn } = world
    provider.ways.endsGrants = false
    const ada = await signIn('ada')
    clock.now += HOUR
    const { asked, release } = holdAnswer(world)
    const slow = tokenOf(auth, ada)
    await asked
    clock.now += LEASE + 1
    expect(await tokenOf(node(), ada)).toBe('invalid_grant')
    release()
    expect(await slow).toBe('access-ada-2')
    expect(await adapter.getAccount('ada', 'op')).toMatchObject({
      refresh_token: expect.stringMatching(/^refresh-ada-2/),
    })
    clock.now += HOUR
    expect(await tokenOf(node(), ada)).toBe('access-ada-3')
  })

  it('is kept where somebody signs in meanwhile and gets none', async () => {
    const world = createWorld()
    const { auth, node, clock, provider, signIn } = world
    const ada = await signIn('ada')
    clock.now += HOUR
    const { asked, release } = holdAnswer(world)
    const refreshing = tokenOf(auth, ada)
    await asked
    provider.ways.givesRefreshTokens = false
    await signIn('ada', { visitor: ada })
    release()
    expect(await refreshing).toBe('access-ada-3') // the one of the sign-in
    provider.ways.givesRefreshTokens = true
    clock.now += HOUR
    expect(await tokenOf(node(), ada)).toBe('access-ada-4')
  })
})

describe('tokens that a store did not take', () => {
  it('are not given out once they have expired', async () => {
    const world = createWorld()
    const { store, auth } = withBrittleStore(world)
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.clock.now += HOUR
    store.isDown = true
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    store.isDown = false
    world.clock.now += 2 * HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-3')
    expect(world.provider.refreshes()).toBe(2)
  })

  it('are stored as soon as it takes them, and no other server uses the old refresh token', async () => {
    const world = createWorld({ account: { encryptTokens: false } })
    const { store, auth } = withBrittleStore(world)
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.clock.now += HOUR
    store.refusals = 6 // of four attempts at once, and two later
    // Nobody has to wait for what is tried again after seconds.
    const soon = vi.spyOn(globalThis, 'setTimeout')
    soon.mockImplementation(((run: () => void) => setImmediate(run)) as never)
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    await vi.waitUntil(async () => {
      const account = await world.adapter.getAccount('ada', 'op')
      return account?.access_token === 'access-ada-2'
    })
    soon.mockRestore()
    world.clock.now += LEASE
    expect(await tokenOf(world.node(), ada)).toBe('access-ada-2')
    expect(world.provider.refreshes()).toBe(1)
  })

  it('do not replace what another server has stored since', async () => {
    const world = createWorld()
    world.provider.ways.rotates = false
    const { store, auth } = withBrittleStore(world)
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.clock.now += HOUR
    store.isDown = true
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    store.isDown = false
    world.clock.now += LEASE + 1
    expect(await tokenOf(world.node(), ada)).toBe('access-ada-3')
    world.clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-4')
  })
})

describe('an account', () => {
  it('is good for as long as its newest token, though the one before said another time', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    provider.ways.givesRefreshTokens = false
    const ada = await signIn('ada')
    clock.now += HOUR
    provider.ways.expiresIn = undefined
    await signIn('ada', { visitor: ada })
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
  })

  it('that lives for a minute is not refreshed by every call where tokens are stored plain', async () => {
    const { auth, clock, provider, signIn } = createWorld({
      account: { encryptTokens: false, tokenCacheSeconds: 0 },
    })
    provider.ways.expiresIn = 60
    const ada = await signIn('ada')
    await tokenOf(auth, ada)
    const first = provider.refreshes()
    clock.now += 5000
    await tokenOf(auth, ada)
    await tokenOf(auth, ada)
    expect(provider.refreshes()).toBe(first)
  })

  it('gives nobody the very token they said is refused, because others ask at the same time', async () => {
    const world = createWorld()
    const { auth, clock, signIn } = world
    const ada = await signIn('ada')
    clock.now += HOUR
    const { asked, release } = holdAnswer(world)
    const first = tokenOf(auth, ada)
    await asked
    const second = tokenOf(auth, ada, { rejectedToken: 'access-ada-2' })
    // As long as it takes to join the first.
    for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
    release()
    expect(await first).toBe('access-ada-2')
    expect(await second).toBe('access-ada-3')
  })
})

describe('an OpenID provider', () => {
  async function withOpenId() {
    const world = createWorld({ account: { encryptTokens: false } })
    const { clock } = world
    const server = await createFakeServer({ now: () => clock.now })
    const provider = {
      id: 'openid', // the world has one of the other id, with other accounts

      name: 'Provider',
      type: 'oidc' as const,
      issuer: server.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    }
    const auth = world.node({
      providers: [provider],
      ports: { now: () => clock.now, fetch: server.fetch },
    })
    const ada = new Visitor(auth.handle)
    const started = await ada.post('/signin/openid')
    const url = new URL(started.headers.get('location') ?? '')
    await ada.get(`/callback/openid?${server.authorize(url)}`)
    clock.now += HOUR
    const id_token = await server.sign({
      iss: server.issuer,
      aud: CLIENT_ID,
      sub: 'ada',
      iat: Math.floor(clock.now / 1000),
      exp: Math.floor(clock.now / 1000) + 300,
    })
    const newer = { access_token: 'newer', refresh_token: 'rt-newer', expires_in: 3600, id_token }
    const answerToken = () => Response.json({ token_type: 'bearer', ...newer })
    return { ...world, server, auth, ada, answerToken }
  }

  it('gives a refresh token that is kept, though the keys for its id_token are not to be had', async () => {
    const { server, auth, ada, adapter, answerToken } = await withOpenId()
    server.faults.answer = path => {
      if (path === '/token') return answerToken()
      return path === '/jwks' ? new Response('busy', { status: 503 }) : undefined
    }
    const { id_token } = (await adapter.getAccount('ada', 'openid')) ?? {}
    expect(await tokenOf(auth, ada, { provider: 'openid' })).toBe('newer')
    expect(await adapter.getAccount('ada', 'openid')).toMatchObject({
      refresh_token: 'rt-newer',
      id_token,
    })
  })

  it('is asked for its metadata before anybody leases the account', async () => {
    const { server, auth, ada, adapter, clock, answerToken } = await withOpenId()
    const asked = createGate()
    const answer = createGate()
    server.faults.answer = async path => {
      if (path === '/token') return answerToken()
      if (!path.startsWith('/.well-known')) return undefined
      asked.open()
      await answer.passed
      return undefined
    }
    const refreshing = tokenOf(auth, ada, { provider: 'openid' })
    await asked.passed
    const lease = { holder: 'other', now: new Date(clock.now), until: new Date(clock.now + 1) }
    const key = { provider: 'openid', providerAccountId: 'ada' }
    expect(await adapter.leaseAccount(key, lease)).not.toBeNull()
    await adapter.updateAccount(key, lease)
    answer.open()
    expect(await refreshing).toBe('newer')
  })
})

describe('an adapter that has no column for it', () => {
  it('still has the application told once that a grant has ended', async () => {
    let told = 0
    const world = createWorld({ events: { accountError: () => void told++ } })
    const { extends: _, ...published } = world.adapter
    const auth = world.node({ adapter: published })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.provider.endGrants()
    world.clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    expect(told).toBe(1)
    expect(world.provider.refreshes()).toBe(1)
    await world.signIn('ada', { visitor: ada })
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
  })
})

it('an adapter that cannot keep the key of a token is told so, and no token is used up', async () => {
  const world = createWorld()
  const { extends: _, ...published } = world.adapter
  const ada = await world.signIn('ada')
  const bound = { ...world.provider.config(), dpop: true }
  const auth = world.node({ adapter: published, providers: [bound] })
  world.clock.now += HOUR
  expect(await tokenOf(auth, ada)).toBe('store_read_only')
  expect(world.provider.refreshes()).toBe(0)
})

describe('the log', () => {
  it('has no token that a provider repeats in its error', async () => {
    const told: unknown[] = []
    const { auth, clock, provider, signIn } = createWorld({
      events: { accountError: ({ error }) => void told.push(error) },
    })
    const ada = await signIn('ada')
    for (const error of ['invalid_request', 'invalid_grant']) {
      clock.now += HOUR
      provider.ways.answer = async token =>
        Response.json({ error, error_description: `bad token: ${token}` }, { status: 400 })
      await tokenOf(auth, ada)
    }
    const seen = [...auth.errors, ...told].map(error => [error, (error as Error).cause])
    const text = seen.flat().map(each => `${each} ${JSON.stringify(each)}`)
    expect(text.join()).toContain('bad token')
    expect(text.join()).not.toContain('refresh-ada')
  })
})
