import type { AuthConfig, EventCallbacks, Profile } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import type { Visitor } from '../visitor.ts'
import { createLogoutWorld, type LogoutWorld } from './logout-world.ts'

const ORIGIN = 'https://app.example.com'

type Told = Parameters<EventCallbacks['providerSignOut']>[0]

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.session()) !== null
}

function requestOf(visitor: Visitor) {
  return { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
}

/** What the store has of the account of somebody, by a signed-in request: whether it can be refreshed. */
async function canRefresh({ auth, op, clock }: LogoutWorld, visitor: Visitor): Promise<boolean> {
  op.faults.answer = path =>
    path === '/token'
      ? Response.json({ access_token: 'at-new', token_type: 'Bearer', expires_in: 3600 })
      : undefined
  clock.now += 2 * 3_600_000
  try {
    await auth.accounts.getAccessToken(requestOf(visitor), 'op')
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'no_refresh_token' })
    return false
  } finally {
    delete op.faults.answer
  }
}

describe('the event of a sign-out at a provider', () => {
  async function createListener(config: Partial<AuthConfig> = {}, { isRenaming = false } = {}) {
    const told: Told[] = []
    const adapter = MemoryAdapter()
    const events = { providerSignOut: (message: Told) => void told.push(message) }
    const profile = ({ sub, email }: Profile) => ({
      id: sub === 'ada' && isRenaming ? 'person-1' : String(sub),
      email: String(email),
    })
    const provider = { frontChannelLogout: true, profile }
    const world = await createLogoutWorld({ adapter, events, ...config }, provider)
    return { ...world, told, adapter }
  }

  it('says who it was, and which session', async () => {
    const { told, adapter, signIn, send } = await createListener()
    await signIn('ada', 'desk')
    const user = await adapter.getUserByEmail('ada@op.test')
    await send({ sub: 'ada', sid: 'desk' })
    expect(told).toEqual([
      { provider: 'op', channel: 'back', user: { id: user?.id }, sub: 'ada', sid: 'desk' },
    ])
  })

  it('knows no user where the notice names a session only, or nobody who was ever here', async () => {
    const { told, send } = await createListener()
    await send({ sid: 'desk' })
    await send({ sub: 'zoe' })
    expect(told).toEqual([
      { provider: 'op', channel: 'back', user: null, sid: 'desk' },
      { provider: 'op', channel: 'back', user: null, sub: 'zoe' },
    ])
  })

  it('mistakes nobody for another who is called the same by the application', async () => {
    const { told, signIn, send } = await createListener({}, { isRenaming: true })
    await signIn('ada', 'desk')
    await send({ sub: 'person-1' })
    expect(told).toEqual([{ provider: 'op', channel: 'back', user: null, sub: 'person-1' }])
  })

  it('is told of a frame, too, which nothing proves', async () => {
    const { told, auth, op } = await createListener()
    const query = new URLSearchParams({ iss: op.issuer, sid: 'desk' })
    await auth.handle(new Request(`${ORIGIN}/auth/frontchannel-logout/op?${query}`))
    expect(told).toEqual([{ provider: 'op', channel: 'front', user: null, sid: 'desk' }])
  })

  it('is not told again of the same notice, nor of one that ends nothing', async () => {
    const { told, op, notice, post } = await createListener()
    const once = new URLSearchParams({ logout_token: await op.sign(notice({ sid: 'desk' })) })
    for (const _ of [1, 2]) await post(once)
    const wrong = await op.sign(notice({ sid: 'desk', aud: 'another' }))
    await post(new URLSearchParams({ logout_token: wrong }))
    expect(told).toHaveLength(1)
  })

  it('that fails in the application keeps no session from ending', async () => {
    const { auth, signIn, send } = await createListener({
      events: { providerSignOut: () => Promise.reject(new Error('the queue is full')) },
    })
    const ada = await signIn('ada', 'desk')
    expect((await send({ sid: 'desk' })).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
    expect(auth.errors.map(each => each.name)).toEqual(['EventError'])
  })
})

describe('the refresh token of an account, when its provider ends a session', () => {
  it('BCL-13: is discarded with the session that it came with', async () => {
    const world = await createLogoutWorld({}, { id: 'op' })
    await world.signIn('ada', 'desk')
    await world.send({ sub: 'ada', sid: 'desk' })
    world.clock.now += 1000
    world.op.faults.tokens = ({ refresh_token: _, ...tokens }) => tokens
    const again = await world.signIn('ada', 'phone')
    expect(await canRefresh(world, again)).toBe(false)
  })

  it('is kept where the session was another one', async () => {
    const world = await createLogoutWorld()
    await world.signIn('ada', 'desk')
    const phone = await world.signIn('ada', 'phone')
    await world.send({ sub: 'ada', sid: 'desk' })
    expect(await canRefresh(world, phone)).toBe(true)
  })

  it('is discarded by a notice about all sessions, unless it came later', async () => {
    const world = await createLogoutWorld()
    await world.signIn('ada', 'desk')
    const late = await world.op.sign(world.notice({ sub: 'ada' }))
    world.clock.now += 20_000
    const again = await world.signIn('ada', 'phone')
    await world.post(new URLSearchParams({ logout_token: late }))
    expect(await canRefresh(world, again)).toBe(true)
  })

  it('BCL-13: is kept where it is for use without the visitor', async () => {
    const world = await createLogoutWorld()
    world.op.faults.tokens = tokens => ({ ...tokens, scope: 'openid offline_access' })
    await world.signIn('ada', 'desk')
    await world.send({ sub: 'ada', sid: 'desk' })
    world.clock.now += 1000
    world.op.faults.tokens = ({ refresh_token: _, ...tokens }) => tokens
    const again = await world.signIn('ada', 'phone')
    expect(await canRefresh(world, again)).toBe(true)
  })

  it.each([
    [{ sub: 'ada', sid: 'desk' }, ['getAccount', 'updateAccount']],
    [{ sub: 'ada', sid: 'phone' }, ['getAccount']],
    [{ sid: 'desk' }, []],
  ])('takes a statement to find, and one to discard: %j', async (named, expected) => {
    const adapter = MemoryAdapter()
    const { getAccount, updateAccount } = adapter
    const asked: string[] = []
    const world = await createLogoutWorld({
      adapter: {
        ...adapter,
        getAccount: (...key) => {
          asked.push('getAccount')
          return getAccount(...key)
        },
        updateAccount: (...change) => {
          asked.push('updateAccount')
          return updateAccount(...change)
        },
      },
    })
    await world.signIn('ada', 'desk')
    asked.length = 0
    await world.send(named)
    expect(asked).toEqual(expected)
  })

  it('that cannot be discarded keeps no session from ending', async () => {
    const adapter = MemoryAdapter()
    const updateAccount = () => Promise.reject(new Error('the store is down'))
    const world = await createLogoutWorld({ adapter: { ...adapter, updateAccount } })
    const ada = await world.signIn('ada', 'desk')
    expect((await world.send({ sub: 'ada', sid: 'desk' })).status).toBe(200)
    expect(await isIn(ada)).toBe(false)
    expect(world.auth.errors.map(each => each.message).join()).toContain('refresh token')
  })
})

describe.each([
  ['in a cookie', { strategy: 'jwt', track: true }],
  ['in a database', { strategy: 'database' }],
  ['in a database, hashed', { strategy: 'database', hashTokens: true }],
  ['of a tenant', { strategy: 'database', audience: 'acme' }],
] as const)('the list of sessions (%s)', (_where, session) => {
  async function listOf({ auth }: LogoutWorld, visitor: Visitor) {
    return auth.sessions.list(requestOf(visitor))
  }

  it('leaves out what a provider has ended', async () => {
    const world = await createLogoutWorld({ session })
    const phone = await world.signIn('ada', 'phone')
    await world.signIn('ada', 'desk')
    expect(await listOf(world, phone)).toHaveLength(2)
    await world.send({ sub: 'ada', sid: 'desk' })
    const [only, ...others] = await listOf(world, phone)
    expect([only?.isCurrent, others.length]).toEqual([true, 0])
  })

  it('still ends the others, one by one and all at once', async () => {
    const world = await createLogoutWorld({ session })
    const phone = await world.signIn('ada', 'phone')
    const [desk, lab] = [await world.signIn('ada', 'desk'), await world.signIn('ada', 'lab')]
    const other = (await listOf(world, desk)).find(({ isCurrent }) => isCurrent)
    await world.auth.sessions.end(requestOf(phone), other?.handle ?? '')
    expect([await isIn(desk), await isIn(lab), await isIn(phone)]).toEqual([false, true, true])
    await world.auth.sessions.endOthers(requestOf(phone))
    expect([await isIn(lab), await isIn(phone)]).toEqual([false, true])
    await phone.post('/signout')
    expect(await isIn(phone)).toBe(false)
  })
})
