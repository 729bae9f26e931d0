import { describe, expect, it } from 'vitest'
import { signIn } from './steps.ts'
import { createWorld, type Setting, userIn, type World } from './world.ts'

const SETTINGS: readonly Setting[] = (['jwt', 'database'] as const).flatMap(strategy =>
  (['ours', 'published'] as const).map(methods => ({ strategy, methods, email: true })),
)

/** How many users there are. */
async function countUsers({ userIds, store }: World): Promise<number> {
  const found = await Promise.all([...userIds].map(id => store.getUser(id)))
  return found.filter(Boolean).length
}

describe.each(SETTINGS)('$strategy sessions, the methods of $methods', setting => {
  it('an account whose user is gone keeps nobody from signing up', async () => {
    const world = await createWorld(setting)
    const ann = world.browsers['ann 1']
    const account = { provider: 'loose', providerAccountId: 'ann', type: 'oauth' } as const
    await world.store.linkAccount({ ...account, userId: 'gone' })
    await signIn(world, ann, 'loose', 'ann')
    expect(await userIn(ann)).not.toBeNull()
    expect(await countUsers(world)).toBe(1)
    expect(await world.store.listAccounts('gone')).toEqual([])
    await signIn(world, world.browsers['ann 2'], 'loose', 'ann')
    expect(await userIn(world.browsers['ann 2'])).toBe(await userIn(ann))
  })

  it('an account whose user is gone can be added by whoever is signed in', async () => {
    const world = await createWorld(setting)
    const ann = world.browsers['ann 1']
    await signIn(world, ann, 'vouching', 'ann')
    const account = { provider: 'loose', providerAccountId: 'ann', type: 'oauth' } as const
    await world.store.linkAccount({ ...account, userId: 'gone' })
    await signIn(world, ann, 'loose', 'ann')
    expect(await world.store.listAccounts((await userIn(ann)) ?? '')).toHaveLength(2)
  })

  it('an account is looked up by its key alone: Prisma rejects a condition with another member', async () => {
    const world = await createWorld(setting)
    const { getUserByAccount } = world.store
    const members = new Set<string>()
    world.store.getUserByAccount = account => {
      for (const name of Object.keys(account)) members.add(name)
      return getUserByAccount(account)
    }
    await signIn(world, world.browsers['ann 1'], 'vouching', 'ann')
    await signIn(world, world.browsers['ann 2'], 'vouching', 'ann')
    await signIn(world, world.browsers['ann 2'], 'loose', 'ann')
    expect([...members].toSorted()).toEqual(['provider', 'providerAccountId'])
  })

  it('an account that cannot be stored leaves no user behind', async () => {
    const world = await createWorld(setting)
    const fail = async () => {
      throw new Error('the column is too short')
    }
    world.store.linkAccount = fail
    world.store.createUserWithAccount = fail
    expect(await signIn(world, world.browsers['ann 1'], 'loose', 'ann')).toBeNull()
    expect(await countUsers(world)).toBe(0)
  })
})

describe('a store that takes capitals for small letters', () => {
  it.each(['jwt', 'database'] as const)(
    'signs nobody in with the account of another, %s sessions',
    async strategy => {
      const world = await createWorld({ strategy, methods: 'published', email: true })
      const { getUserByAccount, getAccount, linkAccount } = world.store
      const victim = { id: 'victim', email: 'victim@example.test', emailVerified: new Date() }
      await world.store.createUser(victim)
      const ofVictim = { provider: 'loose', providerAccountId: 'ANN', type: 'oauth' } as const
      await linkAccount({ ...ofVictim, userId: victim.id })
      world.store.getUserByAccount = ({ provider }) =>
        getUserByAccount({ provider, providerAccountId: 'ANN' })
      world.store.getAccount = (_id, provider) => getAccount('ANN', provider)
      world.store.linkAccount = async () => {
        throw new Error('there is one already')
      }
      await signIn(world, world.browsers['ann 1'], 'loose', 'ann')
      expect(await userIn(world.browsers['ann 1'])).toBeNull()
      expect(await world.store.listAccounts('victim')).toHaveLength(1)
    },
  )
})
