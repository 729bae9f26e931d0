import { describe, expect, it } from 'vitest'
import type { CompleteAdapter } from '../../../adapters/src/memory.ts'
import { createWorld, tokenOf } from './people.ts'

const HOUR = 3_600_000
const KEY = { provider: 'op', providerAccountId: 'ada' }

/** A server whose store can give the account of Ada to Bob at any moment. */
async function createMovingWorld(leases: 'with leases' | 'without leases') {
  const world = createWorld()
  const { adapter } = world
  const ada = await world.signIn('ada')
  const bob = await adapter.createUser({
    id: 'bob',
    email: 'bob@example.test',
    emailVerified: null,
  })
  let owner: string | undefined
  let beforeLease = async () => {}
  // As a store has it in which one statement moves the row, with its lease.
  const seen = <Row extends { userId: string } | null>(row: Row): Row =>
    row && owner !== undefined ? { ...row, userId: owner } : row
  const { leaseAccount, ...rest } = adapter
  const moving: Partial<CompleteAdapter> = {
    ...rest,
    getAccount: async (...given) => seen(await adapter.getAccount(...given)),
    updateAccount: async (...given) => seen(await adapter.updateAccount(...given)),
    ...(leases === 'with leases' && {
      leaseAccount: async (...given) => {
        await beforeLease()
        return seen(await leaseAccount(...given))
      },
    }),
  }
  const ways = {
    async 'is moved with its lease'() {
      owner = bob.id
    },
    async 'is deleted, and linked with other tokens'() {
      await adapter.unlinkAccount(KEY)
      await adapter.linkAccount({
        ...{ ...KEY, type: 'oauth', userId: bob.id },
        ...{ access_token: 'of Bob', refresh_token: 'refresh of Bob', expires_at: 9_000_000_000 },
      })
    },
  } as const
  return {
    ...world,
    ada,
    auth: world.node({ adapter: moving }),
    ways,
    atLease(act: () => Promise<void>) {
      beforeLease = act
    },
  }
}

const WAYS = ['is moved with its lease', 'is deleted, and linked with other tokens'] as const

describe.each(WAYS)('an account of Ada that %s to become one of Bob', way => {
  it('gives Ada nothing if that happens before the lease', async () => {
    const { auth, ada, clock, ways, atLease, provider } = await createMovingWorld('with leases')
    clock.now += HOUR
    atLease(ways[way])
    expect(await tokenOf(auth, ada)).toBe('no_account')
    expect(provider.refreshes()).toBe(0)
  })

  it.each(['with leases', 'without leases'] as const)(
    'gives Ada nothing if that happens while the provider is asked (%s)',
    async leases => {
      const { auth, ada, clock, ways, provider } = await createMovingWorld(leases)
      clock.now += HOUR
      provider.ways.answer = async () => {
        await ways[way]()
        return undefined
      }
      expect(await tokenOf(auth, ada)).toBe('no_account')
    },
  )

  it.each(['with leases', 'without leases'] as const)(
    'gives Ada nothing if that happens while the provider refuses (%s)',
    async leases => {
      const { auth, ada, clock, ways, provider } = await createMovingWorld(leases)
      clock.now += HOUR
      provider.ways.answer = async () => {
        await ways[way]()
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      }
      expect(await tokenOf(auth, ada)).toBe('no_account')
    },
  )
})

describe('an account of Ada that is linked to somebody else', () => {
  it('keeps the tokens of Bob if the provider was being asked, in a store without leases', async () => {
    const { auth, ada, adapter, clock, ways, provider } = await createMovingWorld('without leases')
    clock.now += HOUR
    provider.ways.answer = async () => {
      await ways['is deleted, and linked with other tokens']()
      return undefined
    }
    await tokenOf(auth, ada)
    expect(await adapter.getAccount('ada', 'op')).toMatchObject({
      access_token: 'of Bob',
      refresh_token: 'refresh of Bob',
    })
  })

  it('does not give Ben the failure of Ada, nor Ada what Ben waits for', async () => {
    const { auth, ada, adapter, clock, signIn, provider } = await createMovingWorld('with leases')
    const ben = await signIn('ben')
    const user = await adapter.getUserByEmail('ben@example.test')
    clock.now += HOUR
    provider.ways.answer = async () => new Response('down', { status: 503 })
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    provider.ways.answer = undefined
    await adapter.unlinkAccount(KEY)
    await adapter.linkAccount({
      ...{ ...KEY, type: 'oauth', userId: String(user?.id) },
      ...{ access_token: 'of Ben', refresh_token: 'refresh of Ben', expires_at: 1 },
    })
    const asked: string[] = []
    provider.ways.answer = async token => {
      asked.push(token ?? '')
      return Response.json({ access_token: 'refreshed for Ben', token_type: 'bearer' })
    }
    const accountId = 'ada'
    expect(await tokenOf(auth, ben, { accountId })).toBe('refreshed for Ben')
    expect(await tokenOf(auth, ada)).toBe('no_account')
    expect(asked).toEqual(['refresh of Ben'])
  })
})

describe('a refresh token that disappears while it is used', () => {
  it.each(['with leases', 'without leases'] as const)(
    'does not make the expired access token valid (%s)',
    async leases => {
      const { auth, ada, adapter, clock, provider } = await createMovingWorld(leases)
      clock.now += HOUR
      provider.ways.answer = async () => {
        const empty = null as unknown as string // null empties the column
        await adapter.updateAccount({ ...KEY, refresh_token: empty })
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      }
      expect(await tokenOf(auth, ada)).toBe('no_refresh_token')
    },
  )

  it('is followed by the one that is stored in its place', async () => {
    const { auth, ada, adapter, clock, provider, signIn } = await createMovingWorld('with leases')
    clock.now += HOUR
    provider.ways.answer = async token => {
      if (token === null) return undefined
      provider.ways.answer = undefined
      // A sign-in elsewhere, whose access token has expired as well by the time it is looked at.
      await signIn('ada')
      await adapter.updateAccount({ ...KEY, expires_at: 1 })
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    // The second was refused, and the third came at the sign-in.
    expect(await tokenOf(auth, ada)).toBe('access-ada-4')
  })
})
