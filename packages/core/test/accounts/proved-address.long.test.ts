import type { AdapterUser } from '@siteauth/core/adapters'
import { describe, expect, it } from 'vitest'
import { openLink, signIn, usePasskey } from './steps.ts'
import { ADDRESS, createWorld, type Setting, userIn, type World } from './world.ts'

const STRATEGIES = ['jwt', 'database'] as const
const SETTINGS = STRATEGIES.flatMap(strategy =>
  (['ours', 'published'] as const).map(methods => ({ strategy, methods })),
)

describe.each(SETTINGS)('$strategy sessions, the methods of $methods', given => {
  const setting: Setting = { ...given, email: true }

  describe.each(['a link', 'a vouching provider'])('whoever proves an address by %s', way => {
    const prove = (world: World) =>
      way === 'a link'
        ? openLink(world, world.browsers['ann 1'], 'ann')
        : signIn(world, world.browsers['ann 1'], 'vouching', 'ann')

    it('gets an account that nobody else is in, whoever signed up with it before', async () => {
      const world = await createWorld(setting)
      const mallory = world.browsers['mallory 1']
      await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
      await (await usePasskey(world, mallory, 'mallory', 'register'))?.()
      const annId = await prove(world)
      expect(annId).not.toBeNull()
      expect((await world.store.getUser(annId ?? ''))?.emailVerified).toBeInstanceOf(Date)
      expect((await world.store.getUserByEmail(ADDRESS.ann))?.id).toBe(annId)
      const accounts = await world.store.listAccounts(annId ?? '')
      expect(accounts.filter(each => each.providerAccountId !== 'ann')).toEqual([])
      expect(await world.store.listAuthenticatorsByUserId(annId ?? '')).toEqual([])
      expect(await userIn(mallory)).not.toBe(annId)
    })

    it('is not met by whoever comes back to what they had', async () => {
      const world = await createWorld(setting)
      await signIn(world, world.browsers['mallory 1'], 'loose', 'mallory', ADDRESS.ann)
      const annId = await prove(world)
      const again = world.browsers['mallory 2']
      expect(await signIn(world, again, 'loose', 'mallory', ADDRESS.ann)).not.toBe(annId)
    })

    it('finds that account again', async () => {
      const world = await createWorld(setting)
      await signIn(world, world.browsers['mallory 1'], 'loose', 'mallory', ADDRESS.ann)
      const annId = await prove(world)
      expect(await openLink(world, world.browsers['ann 2'], 'ann')).toBe(annId)
    })

    it('gets in although a sign-up broke off and left the address behind', async () => {
      const world = await createWorld(setting)
      const left = await world.store.createUser({
        id: crypto.randomUUID(),
        email: ADDRESS.ann,
        emailVerified: null,
      })
      world.userIds.add(left.id)
      expect(await prove(world)).not.toBeNull()
    })
  })

  it('a vouching provider that may not link gives its person a user of their own', async () => {
    const world = await createWorld(setting)
    const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
    const malloryId = await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
    const annId = await signIn(world, ann, 'careful', 'ann')
    expect(annId).not.toBeNull()
    expect(annId).not.toBe(malloryId)
    expect((await world.store.getUserByEmail(ADDRESS.ann))?.id).toBe(annId)
    expect((await world.store.getUser(malloryId ?? ''))?.email).not.toBe(ADDRESS.ann)
  })

  it('a user whom a vouching provider makes has a proven address', async () => {
    const world = await createWorld(setting)
    const annId = await signIn(world, world.browsers['ann 1'], 'careful', 'ann')
    expect((await world.store.getUser(annId ?? ''))?.emailVerified).toBeInstanceOf(Date)
  })

  it('a user whom another provider makes has not', async () => {
    const world = await createWorld(setting)
    const annId = await signIn(world, world.browsers['ann 1'], 'loose', 'ann')
    expect((await world.store.getUser(annId ?? ''))?.emailVerified).toBeNull()
  })

  it('an account that is alone in its user proves the address that it vouches for', async () => {
    const world = await createWorld(setting)
    // As the library that we succeed left it.
    const user = { id: crypto.randomUUID(), email: ADDRESS.ann, emailVerified: null }
    await world.store.createUser(user)
    world.userIds.add(user.id)
    const account = { provider: 'careful', providerAccountId: 'ann', type: 'oauth' } as const
    await world.store.linkAccount({ ...account, userId: user.id })
    expect(await signIn(world, world.browsers['ann 1'], 'careful', 'ann')).toBe(user.id)
    expect(await openLink(world, world.browsers['ann 2'], 'ann')).toBe(user.id)
  })

  it('nobody gets an address whom it was not asked for', async () => {
    const world = await createWorld(setting)
    const victim: AdapterUser = {
      id: crypto.randomUUID(),
      email: 'ann@exämple.test',
      emailVerified: new Date(),
    }
    await world.store.createUser(victim)
    // As collations do that take letters with and without marks for the same.
    world.store.getUserByEmail = async () => victim
    expect(await openLink(world, world.browsers['ann 1'], 'ann')).not.toBe(victim.id)
  })
})

describe('somebody honest who came in both ways', () => {
  it('keeps the user, with our adapters and sessions that can be ended', async () => {
    const world = await createWorld({ strategy: 'database', methods: 'ours', email: true })
    const before = await signIn(world, world.browsers['ann 1'], 'loose', 'ann')
    expect(await openLink(world, world.browsers['ann 2'], 'ann')).toBe(before)
  })

  it('keeps the user and all of its accounts, where they had proved the address themselves', async () => {
    const world = await createWorld({ strategy: 'database', methods: 'ours', email: true })
    const { 'ann 1': ann, 'ann 2': other } = world.browsers
    const before = await signIn(world, ann, 'vouching', 'ann')
    await signIn(world, ann, 'loose', 'ann')
    expect(await openLink(world, other, 'ann')).toBe(before)
    expect(await world.store.listAccounts(before ?? '')).toHaveLength(2)
  })
})
