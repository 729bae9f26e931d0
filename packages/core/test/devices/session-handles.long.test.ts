import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { at, createNetwork } from '../revocation/network.ts'
import { Visitor } from '../visitor.ts'
import { createPeople, FIREFOX, handleOf, requestOf, STRATEGIES, sessionsOf } from './people.ts'

const SECOND = 1000
const COOKIE = '__Secure-authjs.session-token'
const SCRIPT = '<script>alert(1)</script>'

describe.each(STRATEGIES)('a handle, strategy %s', strategy => {
  it('of somebody else ends nothing, and is answered like one that nobody has', async () => {
    const { signIn } = createPeople(strategy)
    const [ann, mallory] = [await signIn('ann'), await signIn('mallory')]
    const answers = []
    for (const handle of [await handleOf(ann), 'AAAAAAAAAAAAAAAAAAAAAA']) {
      const answer = await mallory.post('/sessions/end', { handle })
      answers.push([answer.status, await answer.json()])
    }
    expect(answers).toEqual([
      [200, { ended: false }],
      [200, { ended: false }],
    ])
    expect(await ann.session()).not.toBeNull()
  })

  it.each(['', '*', '%', '../end', '\0', 'x'.repeat(10_000)])(
    'guessed as %j ends nothing',
    async handle => {
      const { signIn } = createPeople(strategy)
      const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
      const answer = await laptop.postJson('/sessions/end', { handle })
      expect(await answer.json()).toEqual({ ended: false })
      expect(await phone.session()).not.toBeNull()
    },
  )

  it.each([[null], [{}], [['a']], [true], [1]])(
    'that is %j, and no text, ends nothing',
    async handle => {
      const { signIn } = createPeople(strategy)
      const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
      const answer = await laptop.postJson('/sessions/end', { handle })
      expect(await answer.json()).toEqual({ ended: false })
      expect(await phone.session()).not.toBeNull()
    },
  )

  it('signs nobody in, nor is it any part of what does', async () => {
    const { signIn, auth } = createPeople(strategy)
    const ann = await signIn('ann')
    const handle = await handleOf(ann)
    const thief = new Visitor(auth.handle)
    thief.cookies.set(COOKIE, handle)
    expect(await thief.session()).toBeNull()
    expect(ann.cookies.get(COOKIE)).not.toContain(handle)
  })

  it('is no use to a browser whose session was ended', async () => {
    const { signIn } = createPeople(strategy)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const handle = await handleOf(laptop)
    await laptop.post('/sessions/end', { others: 'true' })
    const answer = await phone.post('/sessions/end', { handle })
    expect(await answer.json()).toEqual({ ended: false })
    expect(await laptop.session()).not.toBeNull()
  })
})

describe.each(STRATEGIES)('what a visitor says, strategy %s', strategy => {
  it.each([
    ['markup', `${SCRIPT} Firefox/1.0`],
    ['100 kB', `Firefox/1.0 ${'x'.repeat(100_000)}`],
    ['nothing that is known', SCRIPT],
  ])('of the browser may be %s: only names that we know are shown', async (_, userAgent) => {
    const { signIn, adapter } = createPeople(strategy)
    const ann = await signIn('ann', { 'user-agent': userAgent })
    const answer = await (await ann.get('/sessions')).text()
    expect(answer).not.toContain('script')
    const [row] =
      strategy === 'jwt'
        ? await adapter.trackedSessions.list('ann', 10)
        : await adapter.listSessions('ann')
    expect(row?.userAgent?.length).toBeLessThanOrEqual(400)
  })

  it('of the browser may be in no alphabet that stores take', async () => {
    const { auth } = createPeople(strategy)
    const headers = new Headers({ 'user-agent': 'Firefox/1.0 Linux' })
    // What servers hand on that check nothing themselves.
    headers.get = name => (name === 'user-agent' ? 'Firefox/1.0\0\ud800 Linux' : null)
    const url = 'https://app.example.com/'
    const request = { headers, url }
    await auth.signIn(request, 'password', { who: 'ann' })
    const cookie = auth
      .takeSetCookies(request)
      .map(line => line.split(';', 1)[0])
      .join('; ')
    const sessions = await auth.sessions.list({ headers: { cookie }, url })
    expect(sessions).toMatchObject([{ browser: 'Firefox', system: 'Linux' }])
  })

  it('about where they are is cut where it is too long', async () => {
    const describe = () => `${'é'.repeat(99)}🙂🙂 and more\n`
    const { signIn } = createPeople(strategy, { session: { describe } })
    const [session] = await sessionsOf(await signIn('ann'))
    expect(session?.label).toBe(`${'é'.repeat(99)}🙂`)
  })

  it('keeps nobody out, if the application cannot describe it', async () => {
    const describe = () => {
      throw new Error('no such place')
    }
    const { signIn, auth } = createPeople(strategy, { session: { describe } })
    expect(await sessionsOf(await signIn('ann'))).toMatchObject([{ label: null }])
    expect(auth.errors.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('session.describe failed'),
    )
  })
})

describe.each(STRATEGIES)('ten thousand sessions of one user, strategy %s', strategy => {
  async function setUp() {
    const people = createPeople(strategy)
    const ann = await people.signIn('ann')
    const expires = new Date(people.clock.now + 300 * 24 * 60 * 60 * SECOND)
    for (let index = 0; index < 10_000; index++) {
      const session = { userId: 'ann', expires, userAgent: FIREFOX }
      if (strategy === 'jwt')
        await people.adapter.trackedSessions.add({ id: `s:${index}`, ...session })
      else await people.adapter.createSession({ sessionToken: `token-${index}`, ...session })
    }
    return { ...people, ann }
  }

  it('are listed up to a hundred, and this one', async () => {
    const { ann } = await setUp()
    const sessions = await sessionsOf(ann)
    expect(sessions).toHaveLength(101)
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  })

  it('are all ended with all others', async () => {
    const { ann } = await setUp()
    await ann.post('/sessions/end', { others: 'true' })
    expect(await sessionsOf(ann)).toHaveLength(1)
  })
})

describe.each(STRATEGIES)('a page of another site, strategy %s', strategy => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

  it('ends nothing through a function of the application', async () => {
    const { signIn, auth } = createPeople(strategy)
    const [phone, laptop] = [await signIn('ann'), await signIn('ann')]
    const request = requestOf(laptop, foreign)
    const handle = await handleOf(phone)
    await expect(auth.sessions.endOthers(request)).rejects.toMatchObject({ type: 'MissingCSRF' })
    await expect(auth.sessions.end(request, handle)).rejects.toMatchObject({ type: 'MissingCSRF' })
    expect(await phone.session()).not.toBeNull()
  })

  it('is not allowed to read the list', async () => {
    const { signIn } = createPeople(strategy)
    const answer = await (await signIn('ann')).get('/sessions', foreign)
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
  })
})

describe('a store of tracked sessions that fails', () => {
  const down = () => Promise.reject(new Error('connection refused'))
  const track = { add: down, renew: down, list: down, remove: down, removeAll: down }

  it('keeps nobody from signing in, going on or signing out', async () => {
    const { signIn, clock, auth } = createPeople('jwt', { session: { track } })
    const ann = await signIn('ann')
    clock.now += 2 * 24 * 60 * 60 * SECOND
    expect(await ann.session()).not.toBeNull()
    const thief = at(auth, ann)
    await ann.post('/signout')
    expect(await thief.session()).toBeNull()
    expect(auth.errors.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('list of sessions could not be kept'),
    )
  })

  it('is not taken for an empty list', async () => {
    const { signIn } = createPeople('jwt', { session: { track } })
    expect((await (await signIn('ann')).get('/sessions')).status).toBe(503)
  })
})

describe('ending all others, with several servers', () => {
  const tracked = () => ({ session: { track: MemoryAdapter().trackedSessions } })

  async function signIn(auth: ReturnType<ReturnType<typeof createNetwork>['node']>) {
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/password', { id: 'ann' })
    return visitor
  }

  it.each([true, false])(
    'is known at all of them, and spares this one (channel: %s)',
    async hasChannel => {
      const { node, state, clock } = createNetwork(tracked())
      state.hasChannel = hasChannel
      const [one, other] = [node(), node()]
      const [phone, laptop] = [await signIn(one), await signIn(other)]
      expect(await at(other, phone).session()).not.toBeNull()
      await laptop.post('/sessions/end', { others: 'true' })
      if (!hasChannel) clock.now += 10 * SECOND
      for (const server of [one, other]) {
        expect(await at(server, phone).session()).toBeNull()
        expect(await at(server, laptop).session()).not.toBeNull()
      }
    },
  )

  it('spares this one also where the store alone knows, and for good', async () => {
    const { node, clock } = createNetwork(tracked())
    const server = node({ session: { updateAge: 60 } })
    const laptop = await signIn(server)
    await laptop.post('/sessions/end', { others: 'true' })
    for (let day = 0; day < 40; day++) {
      clock.now += 24 * 60 * 60 * SECOND
      // A process that has just been started.
      expect(await at(node(), laptop).session(), `day ${day}`).not.toBeNull()
      expect(await laptop.session(), `day ${day}`).not.toBeNull()
    }
  })

  it('is not survived by one that was spared before', async () => {
    const { node, clock } = createNetwork(tracked())
    const server = node()
    const [phone, laptop] = [await signIn(server), await signIn(server)]
    await phone.post('/sessions/end', { others: 'true' })
    const again = await signIn(server)
    clock.now += SECOND
    await again.post('/sessions/end', { others: 'true' })
    for (const each of [phone, laptop]) expect(await each.session()).toBeNull()
    expect(await again.session()).not.toBeNull()
    expect(await at(node(), phone).session()).toBeNull()
  })

  it('leaves everybody in, and says so, where the store takes nothing', async () => {
    const { node, state } = createNetwork(tracked())
    const server = node()
    const [phone, laptop] = [await signIn(server), await signIn(server)]
    state.isReadOnly = true
    expect((await laptop.post('/sessions/end', { others: 'true' })).status).toBe(503)
    for (const each of [phone, laptop]) expect(await each.session()).not.toBeNull()
  })
})
