import type { AdapterAccount } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createGate, createWorld, requestOf, tokenOf } from './people.ts'

const HOUR = 3_600_000
const KEY = { provider: 'op', providerAccountId: 'ada' }

describe('somebody else', () => {
  it('gets no token by naming the account of another user', async () => {
    const { auth, signIn } = createWorld()
    await signIn('ada')
    const eve = await signIn('eve')
    expect(await tokenOf(auth, eve, { accountId: 'ada' })).toBe('no_account')
  })

  it('cannot unlink the account of another user', async () => {
    const { auth, adapter, signIn } = createWorld()
    await signIn('ada')
    const eve = await signIn('eve')
    const account = { provider: 'op', accountId: 'ada' }
    const answer = await auth.accounts.unlink(requestOf(eve), account, {
      hasOtherSignInMethod: true,
    })
    expect(answer).toEqual({ unlinked: false, reason: 'no_account' })
    expect(await adapter.getAccount('ada', 'op')).not.toBeNull()
  })

  it('gets no token of one provider by the name of another that has the same server', async () => {
    const world = createWorld()
    const auth = world.node({
      providers: [world.provider.config('op'), world.provider.config('other')],
    })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect(await tokenOf(auth, ada, { provider: 'op' })).toBe('access-ada-1')
    expect(await tokenOf(auth, ada, { provider: 'other' })).toBe('no_account')
    expect(await tokenOf(auth, ada, { provider: 'other', accountId: 'ada' })).toBe('no_account')
  })

  it('learns nothing from what is remembered of the one who was signed in before', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    expect(await tokenOf(auth, ada)).toBe('access-ada-1')
    await ada.post('/signout')
    await signIn('eve', { visitor: ada })
    expect(await tokenOf(auth, ada)).toBe('access-eve-2')
  })
})

describe('a refresh token', () => {
  it('is stored before anybody gets the access token that came with it', async () => {
    const { auth, adapter, clock, signIn } = createWorld({ account: { encryptTokens: false } })
    const ada = await signIn('ada')
    clock.now += HOUR
    const accessToken = await tokenOf(auth, ada)
    expect(await adapter.getAccount('ada', 'op')).toMatchObject({
      access_token: accessToken,
      refresh_token: expect.stringMatching(/^refresh-ada-2/),
    })
  })

  it('that cannot be stored is kept by the process, and its access token is given to nobody', async () => {
    const world = createWorld()
    let isDown = false
    const adapter = {
      ...world.adapter,
      updateAccount: async (...given: Parameters<typeof world.adapter.updateAccount>) => {
        if (isDown) throw new Error('the store is down')
        return world.adapter.updateAccount(...given)
      },
    }
    const auth = world.node({ adapter })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.clock.now += HOUR
    isDown = true
    await expect(auth.accounts.getAccessToken(requestOf(ada), 'op')).rejects.toMatchObject({
      code: 'unavailable',
    })
    isDown = false
    world.clock.now += 5000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    expect(world.provider.refreshes()).toBe(1)
  })

  it('that was refused is read once more before anybody believes it', async () => {
    const { auth, adapter, clock, provider, signIn } = createWorld({
      account: { encryptTokens: false },
    })
    const ada = await signIn('ada')
    clock.now += HOUR
    provider.ways.answer = async () => {
      // Another process of an older release, which knows nothing of leases, was quicker.
      const expires_at = Math.floor(clock.now / 1000) + 3600
      const tokens = { access_token: 'theirs', refresh_token: 'refresh-theirs', expires_at }
      await adapter.updateAccount({ ...KEY, ...tokens })
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    expect(await tokenOf(auth, ada)).toBe('theirs')
  })

  it('of a sign-in during a refresh is not lost to that refresh', async () => {
    const { auth, adapter, clock, provider, signIn } = createWorld({
      account: { encryptTokens: false },
    })
    const ada = await signIn('ada')
    clock.now += HOUR
    const gate = createGate()
    provider.ways.answer = async token => {
      if (token !== null) await gate.passed
      return undefined
    }
    const refreshing = tokenOf(auth, ada)
    provider.ways.scope = 'read write'
    await signIn('ada')
    gate.open()
    expect(await refreshing).toBe('access-ada-3')
    expect(await adapter.getAccount('ada', 'op')).toMatchObject({
      refresh_token: expect.stringMatching(/^refresh-ada-3/),
      scope: 'read write',
    })
  })
})

describe('a lease', () => {
  it('whose holder died keeps others waiting no longer than it lasts', async () => {
    const { auth, adapter, clock, signIn } = createWorld()
    const ada = await signIn('ada')
    clock.now += HOUR
    const lease = { holder: 'dead', now: new Date(clock.now), until: new Date(clock.now + 30_000) }
    await adapter.leaseAccount(KEY, lease)
    clock.now += 30_000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
  })

  it('that has ended is of no use to a slow holder: what came since stays', async () => {
    const { auth, node, adapter, clock, provider, signIn } = createWorld({
      account: { encryptTokens: false },
    })
    provider.ways.rotates = false
    const ada = await signIn('ada')
    clock.now += HOUR
    const gate = createGate()
    const begun = createGate()
    provider.ways.answer = async () => {
      begun.open()
      await gate.passed
      return undefined
    }
    const slow = tokenOf(auth, ada)
    await begun.passed
    provider.ways.answer = undefined
    clock.now += 30_001
    expect(await tokenOf(node(), ada)).toBe('access-ada-3')
    gate.open()
    expect(await slow).toBe('access-ada-3')
    expect(await adapter.getAccount('ada', 'op')).toMatchObject({ access_token: 'access-ada-3' })
  })
})

describe('an account that is unlinked', () => {
  it('during a refresh is not brought back, and its token is given to nobody', async () => {
    const { auth, adapter, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    clock.now += HOUR
    const gate = createGate()
    const begun = createGate()
    provider.ways.answer = async () => {
      begun.open()
      await gate.passed
      return undefined
    }
    const refreshing = tokenOf(auth, ada)
    await begun.passed
    await adapter.unlinkAccount(KEY)
    gate.open()
    expect(await refreshing).toBe('no_account')
    expect(await adapter.getAccount('ada', 'op')).toBeNull()
  })

  it('is no longer known to the process that unlinked it', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    await signIn('ada-at-work', { visitor: ada })
    await tokenOf(auth, ada, { accountId: 'ada' })
    await auth.accounts.unlink(requestOf(ada), { provider: 'op', accountId: 'ada' })
    expect(await tokenOf(auth, ada, { accountId: 'ada' })).toBe('no_account')
  })
})

describe('what is stored', () => {
  const TOKENS = ['access_token', 'refresh_token'] as const

  it('is no token, but sealed', async () => {
    const { adapter, signIn } = createWorld()
    await signIn('ada')
    const account = await adapter.getAccount('ada', 'op')
    for (const column of TOKENS) expect(account?.[column]).toMatch(/^sa1\.ey/)
  })

  async function stored(adapter: ReturnType<typeof createWorld>['adapter'], login: string) {
    return (await adapter.getAccount(login, 'op')) as AdapterAccount
  }

  it('opens in no other column', async () => {
    const { auth, adapter, signIn } = createWorld()
    const ada = await signIn('ada')
    const { refresh_token } = await stored(adapter, 'ada')
    // Would show the refresh token to whoever may see access tokens.
    await adapter.updateAccount({ ...KEY, access_token: String(refresh_token) })
    expect(await tokenOf(auth, ada)).toBe('access-ada-2') // it could be refreshed
    expect(auth.warnings).toContain('undecryptable-tokens')
  })

  it('opens in no other row', async () => {
    const { auth, adapter, signIn } = createWorld()
    await signIn('ada')
    const eve = await signIn('eve')
    const { access_token, refresh_token } = await stored(adapter, 'ada')
    const stolen = { access_token: String(access_token), refresh_token: String(refresh_token) }
    await adapter.updateAccount({ provider: 'op', providerAccountId: 'eve', ...stolen })
    expect(await tokenOf(auth, eve)).toBe('no_refresh_token')
  })

  it('opens with any secret that is configured, and with no other', async () => {
    const { node, signIn } = createWorld({ session: { strategy: 'jwt' } })
    const ada = await signIn('ada')
    const earlier = 'a test secret that is long enough!'
    const rotated = node({ secret: ['a newer secret that is long enough', earlier] })
    expect(await tokenOf(rotated, ada)).toBe('access-ada-1')
  })

  it('was plain before: it is read as it is, and sealed when it is next written', async () => {
    const world = createWorld({ account: { encryptTokens: false } })
    const ada = await world.signIn('ada')
    expect(await stored(world.adapter, 'ada')).toMatchObject({
      refresh_token: expect.stringMatching(/^refresh-ada-1/),
    })
    const sealing = world.node({ account: {} })
    expect(await tokenOf(sealing, ada)).toBe('access-ada-1')
    world.clock.now += HOUR
    expect(await tokenOf(sealing, ada)).toBe('access-ada-2')
    const { refresh_token } = await stored(world.adapter, 'ada')
    expect(refresh_token).toMatch(/^sa1\./)
  })

  it('can be read where it is no longer sealed', async () => {
    const world = createWorld()
    const ada = await world.signIn('ada')
    const plain = world.node({ account: { encryptTokens: false } })
    expect(await tokenOf(plain, ada)).toBe('access-ada-1')
  })

  it('is not sealed for an adapter that did not say that it takes long texts', async () => {
    const world = createWorld()
    const { extends: _, ...published } = world.adapter
    const auth = world.node({ adapter: published })
    await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect(await stored(world.adapter, 'ada')).toMatchObject({ access_token: 'access-ada-1' })
  })
})

describe('an adapter without leases', () => {
  it('is warned of once, and calls in one process wait for each other', async () => {
    const world = createWorld()
    const { leaseAccount: _, ...published } = world.adapter
    const auth = world.node({ adapter: published })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.clock.now += HOUR
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(auth, ada)))
    expect(new Set(tokens)).toEqual(new Set(['access-ada-2']))
    expect(auth.warnings.filter(code => code === 'no-account-lease')).toHaveLength(1)
  })

  it('and without a way to change accounts says so', async () => {
    const world = createWorld()
    const { leaseAccount: _, updateAccount: __, ...published } = world.adapter
    const auth = world.node({ adapter: published })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    world.clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('store_read_only')
  })
})

describe('the log', () => {
  it('never has a token or a secret, whatever goes wrong', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    clock.now += HOUR
    const body = { error: 'invalid_client', error_description: 'wrong' }
    provider.ways.answer = async () => Response.json(body, { status: 401 })
    await tokenOf(auth, ada)
    clock.now += 5000
    provider.ways.answer = undefined
    provider.endGrants()
    await tokenOf(auth, ada)
    const seen = (value: unknown): string =>
      JSON.stringify(value, (_, member) =>
        member instanceof Error
          ? { ...member, message: member.message, cause: member.cause, stack: member.stack }
          : member,
      )
    const log = seen([auth.errors, auth.debugs])
    expect(log).toContain('invalid_client')
    expect(log).not.toMatch(/access-ada|refresh-ada|the secret of the client/)
  })
})
