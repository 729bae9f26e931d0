import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createPeople, STRATEGIES } from '../devices/people.ts'
import { createLogoutWorld, providerOf } from '../oauth/logout-world.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { at, createLog, createNetwork } from './network.ts'

// The lifetime of sessions is lowered, and raised again: what was over stays over.

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** In seconds: longer than anything is kept whatever the lifetime. */
const LONG = 90 * 24 * 3600

let network: ReturnType<typeof createNetwork>

beforeEach(() => {
  network = createNetwork()
})

type Revocation = { readonly check: 'always' | 'on-renewal' }

/** A server with sessions of that many seconds. */
function server(maxAge: number, { check }: Revocation = { check: 'always' }) {
  const log = { ...network.log }
  return network.createNode(null, { session: { maxAge, revocation: { log, check } } })
}

async function signedIn(maxAge: number, how?: Revocation): Promise<Visitor> {
  const visitor = new Visitor(server(maxAge, how).handle)
  await visitor.post('/callback/password', { id: 'ann' })
  return visitor
}

describe.each(['always', 'on-renewal'] as const)('with check %j', check => {
  type End = (visitor: Visitor, auth: ReturnType<typeof server>) => Promise<unknown>
  const ENDS: Readonly<Record<string, End>> = {
    'a sign-out': async (visitor, auth) => at(auth, visitor).post('/signout'),
    'users.endSessions': async (_visitor, auth) => auth.users.endSessions('ann'),
  }

  it.each(Object.keys(ENDS))(
    '%s while sessions are shorter lasts when they are longer again',
    async name => {
      const end = ENDS[name] ?? Promise.reject
      const visitor = await signedIn(LONG, { check })
      network.clock.now += 1000
      await end(visitor, server(3600, { check }))
      network.clock.now += 60 * DAY
      // An entry that is over may be forgotten whenever anything is written.
      await signedIn(3600, { check })
      expect(await at(server(LONG, { check }), visitor).session()).toBeNull()
    },
  )

  it('it lasts as well for a session that was renewed since the last sign-in', async () => {
    const visitor = await signedIn(LONG, { check })
    network.clock.now += 60 * DAY
    const renewed = at(server(LONG, { check }), visitor)
    expect(await renewed.session()).not.toBeNull()
    network.clock.now += 40 * DAY
    await server(3600, { check }).users.endSessions('ann')
    network.clock.now += 45 * DAY
    expect(await at(server(LONG, { check }), renewed).session()).toBeNull()
  })

  it('a session that was over when it was read does not begin again', async () => {
    const visitor = await signedIn(LONG, { check })
    network.clock.now += 2 * DAY
    expect(await at(server(3600, { check }), visitor).session()).toBeNull()
    expect(await at(server(LONG, { check }), visitor).session()).toBeNull()
  })

  it('nothing is written for a session that has expired by itself', async () => {
    const visitor = await signedIn(3600, { check })
    network.clock.now += 5 * HOUR
    network.written.length = 0
    expect(await at(server(3600, { check }), visitor).session()).toBeNull()
    expect(network.written).toEqual([])
  })

  it('a session of which the log does not learn that is over does not keep anybody waiting with an error', async () => {
    const visitor = await signedIn(LONG, { check })
    network.clock.now += 5 * HOUR
    network.state.isDown = true
    const answer = await at(server(3600, { check }), visitor).get('/session')
    expect([answer.status, await answer.json()]).toEqual([200, null])
  })
})

it('a revocation is kept as long as the tokens live of a server whose clock is ahead', async () => {
  const { clock, log, createNode } = network
  const ahead = createNode({ ...log }, { ports: { now: () => clock.now + 20 * HOUR } })
  const visitor = new Visitor(ahead.handle)
  await visitor.post('/callback/password', { id: 'ann' })
  await at(createNode({ ...log }), visitor).post('/signout')
  clock.now += 30 * DAY + 10 * HOUR
  expect(await at(createNode({ ...log }), visitor).session()).toBeNull()
})

it('a revocation by a server whose clock is behind is kept as long as sessions live', async () => {
  const { clock, log, createNode } = network
  const visitor = new Visitor(createNode({ ...log }).handle)
  await visitor.post('/callback/password', { id: 'ann' })
  const behind = createNode({ ...log }, { ports: { now: () => clock.now - 20 * HOUR } })
  await at(behind, visitor).post('/signout')
  clock.now += 30 * DAY - HOUR
  expect(await at(createNode({ ...log }), visitor).session()).toBeNull()
})

describe.each(STRATEGIES)('a logout notice, strategy %s', strategy => {
  it('lasts for sessions that were longer', async () => {
    const adapter = MemoryAdapter()
    const clock = { now: Date.UTC(2030, 0, 1) }
    const { log } = createLog(() => clock.now)
    const session = { strategy, revocation: { log } }
    const long = await createLogoutWorld({ adapter, session: { ...session, maxAge: LONG } })
    const pass = (time: number) => {
      clock.now += time
      long.clock.now += time
    }
    const short = createTestAuth({
      adapter,
      session: { ...session, revocation: { log: { ...log } }, maxAge: 3600 },
      providers: [providerOf('https://op.test')],
      ports: { fetch: long.op.fetch, now: () => clock.now },
    })
    const visitor = await long.signIn('ada', 'desk')
    pass(60 * DAY)
    expect(await visitor.session()).not.toBeNull()
    const claims = long.notice({ sub: 'ada', sid: 'desk' })
    const logout_token = await long.op.sign(claims, { typ: 'logout+jwt' })
    const url = 'https://app.example.com/auth/backchannel-logout/op'
    const body = new URLSearchParams({ logout_token })
    expect((await short.handle(new Request(url, { method: 'POST', body }))).status).toBe(200)
    pass(45 * DAY)
    expect(await visitor.session()).toBeNull()
  })
})

describe.each(STRATEGIES)('the list of sessions, strategy %s', strategy => {
  it('has none again that was over when it was read', async () => {
    const people = createPeople(strategy, { session: { maxAge: LONG } })
    const visitor = await people.signIn('ann')
    const { adapter, clock } = people
    const short = createPeople(strategy, {
      adapter,
      session: { maxAge: 3600 },
      ports: { now: () => clock.now },
    })
    expect(await short.at(visitor).session()).not.toBeNull()
    clock.now += 5 * HOUR
    expect(await short.at(visitor).session()).toBeNull()
    expect(await people.at(visitor).session()).toBeNull()
  })
})
