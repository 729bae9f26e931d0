import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, requestOf, STRATEGIES, tokenOf } from './people.ts'

const ADA = { provider: 'op', accountId: 'ada' }
const WORK = { provider: 'op', accountId: 'ada-at-work' }

describe.each(STRATEGIES)('accounts of whoever is signed in, %s sessions', strategy => {
  async function withTwo() {
    const world = createWorld({}, strategy)
    const ada = await world.signIn('ada')
    await world.signIn('ada-at-work', { visitor: ada })
    return { ...world, ada }
  }

  it('are listed without their tokens', async () => {
    const { auth, ada } = await withTwo()
    const accounts = await auth.accounts.list(requestOf(ada))
    expect(accounts).toMatchObject([
      { ...ADA, scopes: ['read'], canRefresh: true, error: null },
      { ...WORK, scopes: ['read'], canRefresh: true, error: null },
    ])
    expect(JSON.stringify(accounts)).not.toMatch(/access-|refresh-|sa1/)
    expect(await (await ada.get('/accounts')).json()).toMatchObject([ADA, WORK])
  })

  it('are nobody’s where nobody is signed in', async () => {
    const { auth } = await withTwo()
    const stranger = new Visitor(auth.handle)
    expect(await auth.accounts.list(requestOf(stranger))).toEqual([])
    expect(await (await stranger.get('/accounts')).json()).toEqual([])
    expect(await auth.accounts.unlink(requestOf(stranger), ADA)).toMatchObject({ unlinked: false })
  })

  it('are unlinked one by one, but for the last', async () => {
    const { auth, ada } = await withTwo()
    expect(await auth.accounts.unlink(requestOf(ada), ADA)).toEqual({
      unlinked: true,
      reason: null,
    })
    const last = await auth.accounts.unlink(requestOf(ada), WORK)
    expect(last).toEqual({ unlinked: false, reason: 'only_sign_in_method' })
    expect(await auth.accounts.list(requestOf(ada))).toMatchObject([WORK])
    expect(await ada.session()).not.toBeNull()
  })

  it('are unlinked by a form of the application, and by no other', async () => {
    const { ada, auth } = await withTwo()
    const forged = await ada.send('/accounts/unlink', {
      method: 'POST',
      body: new URLSearchParams(ADA),
    })
    expect(forged.status).toBeGreaterThanOrEqual(300)
    expect(await auth.accounts.list(requestOf(ada))).toHaveLength(2)
    expect(await (await ada.postJson('/accounts/unlink', ADA)).json()).toEqual({
      unlinked: true,
      reason: null,
    })
    expect(await (await ada.postJson('/accounts/unlink', WORK)).json()).toEqual({
      unlinked: false,
      reason: 'only_sign_in_method',
    })
  })

  it('are not all unlinked by two who unlink one each', async () => {
    const { auth, node, ada } = await withTwo()
    const answers = await Promise.all([
      auth.accounts.unlink(requestOf(ada), ADA),
      node().accounts.unlink(requestOf(ada), WORK),
    ])
    expect(answers.filter(({ unlinked }) => unlinked)).toHaveLength(1)
    expect(await auth.accounts.list(requestOf(ada))).toHaveLength(1)
  })
})

describe('the last account', () => {
  it('may go where the application knows another way in', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    const answer = await auth.accounts.unlink(requestOf(ada), ADA, { hasOtherSignInMethod: true })
    expect(answer.unlinked).toBe(true)
  })

  it('may go where a link can be sent to an address that was proved, and not to another', async () => {
    const world = createWorld()
    const email = {
      id: 'email',
      name: 'Email',
      type: 'email' as const,
      maxAge: 600,
      sendVerificationRequest: async () => {},
    }
    const auth = world.node({ providers: [world.provider.config(), email] })
    const ada = await world.signIn('ada', { visitor: new Visitor(auth.handle) })
    expect(await auth.accounts.unlink(requestOf(ada), ADA)).toMatchObject({
      reason: 'only_sign_in_method',
    })
    const user = await world.adapter.getUserByEmail('ada@example.test')
    await world.adapter.updateUser({ id: user?.id ?? '', emailVerified: new Date() })
    expect(await auth.accounts.unlink(requestOf(ada), ADA)).toMatchObject({ unlinked: true })
  })

  it('is not told by one whose provider is no longer configured', async () => {
    const { auth, adapter, signIn } = createWorld()
    const ada = await signIn('ada')
    const user = await adapter.getUserByEmail('ada@example.test')
    await adapter.linkAccount({
      userId: user?.id ?? '',
      type: 'oauth',
      provider: 'gone',
      providerAccountId: '1',
    })
    expect(await auth.accounts.unlink(requestOf(ada), ADA)).toMatchObject({
      reason: 'only_sign_in_method',
    })
  })

  it('stays where an adapter has no leases, and two unlink one each', async () => {
    const world = createWorld()
    const { leaseAccount: _, ...published } = world.adapter
    const [one, other] = [world.node({ adapter: published }), world.node({ adapter: published })]
    const ada = await world.signIn('ada')
    await world.signIn('ada-at-work', { visitor: ada })
    await Promise.all([
      one.accounts.unlink(requestOf(ada), ADA),
      other.accounts.unlink(requestOf(ada), WORK),
    ])
    const left = await world.auth.accounts.list(requestOf(ada))
    expect(left.length).toBeGreaterThanOrEqual(1)
    // What was put back can still be used.
    const [{ accountId } = { accountId: '' }] = left
    expect(await tokenOf(world.auth, ada, { accountId })).toMatch(/^access-ada/)
  })
})
