import type { AccountKey, AccountLease } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase, Need, RequiredAdapter } from './adapter-case.ts'
import { sampleAccount, storeUser } from './samples.ts'

const NEEDS: readonly Need[] = ['createUser', 'linkAccount', 'leaseAccount', 'updateAccount']

/** A lease that begins now, or some seconds later, and lasts for half a minute. */
function leaseAt(seconds = 0): AccountLease {
  const now = Date.now() + seconds * 1000
  const holder = crypto.randomUUID()
  return { holder, now: new Date(now), until: new Date(now + 30_000) }
}

async function storeAccount(adapter: RequiredAdapter): Promise<AccountKey> {
  const user = await storeUser(adapter)
  const account = sampleAccount(user.id)
  await adapter.linkAccount(account)
  const { provider, providerAccountId } = account
  return { provider, providerAccountId }
}

export const LEASE_CASES: readonly AdapterCase[] = [
  {
    name: 'leaseAccount answers the account, without what tells of the lease',
    needs: NEEDS,
    async run(adapter) {
      const user = await storeUser(adapter)
      const account = sampleAccount(user.id)
      await adapter.linkAccount(account)
      expect(await adapter.leaseAccount(account, leaseAt())).toEqual(account)
    },
  },
  {
    name: 'leaseAccount answers null for an account that nobody has',
    needs: NEEDS,
    async run(adapter) {
      const { provider, providerAccountId } = sampleAccount('')
      expect(await adapter.leaseAccount({ provider, providerAccountId }, leaseAt())).toBeNull()
    },
  },
  {
    name: 'an account is leased to one of many who ask at once',
    needs: NEEDS,
    async run(adapter) {
      const key = await storeAccount(adapter)
      const asked = Array.from({ length: 20 }, () => adapter.leaseAccount(key, leaseAt()))
      const leases = await Promise.all(asked)
      expect(leases.filter(lease => lease !== null)).toHaveLength(1)
    },
  },
  {
    name: 'a holder may lease an account once more',
    needs: NEEDS,
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = leaseAt()
      await adapter.leaseAccount(key, lease)
      expect(await adapter.leaseAccount(key, lease)).not.toBeNull()
    },
  },
  {
    name: 'a lease keeps nobody from reading or unlinking the account',
    needs: [...NEEDS, 'getAccount', 'unlinkAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      await adapter.leaseAccount(key, leaseAt())
      expect(await adapter.getAccount(key.providerAccountId, key.provider)).toMatchObject(key)
      await adapter.unlinkAccount(key)
      expect(await adapter.getAccount(key.providerAccountId, key.provider)).toBeNull()
    },
  },
  {
    name: 'the holder of a lease changes the account, which ends the lease',
    needs: NEEDS,
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = leaseAt()
      await adapter.leaseAccount(key, lease)
      const changes = { ...key, access_token: 'newer', refresh_token: 'newest' }
      expect(await adapter.updateAccount(changes, lease)).toMatchObject(changes)
      expect(await adapter.updateAccount({ ...key, access_token: 'late' }, lease)).toBeNull()
      expect(await adapter.leaseAccount(key, leaseAt())).toMatchObject(changes)
    },
  },
  {
    name: 'a holder who changes nothing gives the lease back',
    needs: NEEDS,
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = leaseAt()
      await adapter.leaseAccount(key, lease)
      expect(await adapter.updateAccount(key, lease)).toMatchObject(key)
      expect(await adapter.leaseAccount(key, leaseAt())).not.toBeNull()
    },
  },
  {
    name: 'nobody but its holder changes a leased account as one who holds it',
    needs: [...NEEDS, 'getAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      await adapter.leaseAccount(key, leaseAt())
      const changes = { ...key, access_token: 'stolen' }
      expect(await adapter.updateAccount(changes, { holder: crypto.randomUUID() })).toBeNull()
      const { access_token } = (await adapter.getAccount(key.providerAccountId, key.provider)) ?? {}
      expect(access_token).toBe('access')
    },
  },
  {
    name: 'a new sign-in ends the lease: its holder comes too late',
    needs: [...NEEDS, 'getAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = leaseAt()
      await adapter.leaseAccount(key, lease)
      await adapter.updateAccount({ ...key, access_token: 'of the sign-in' })
      expect(await adapter.updateAccount({ ...key, access_token: 'late' }, lease)).toBeNull()
      const { access_token } = (await adapter.getAccount(key.providerAccountId, key.provider)) ?? {}
      expect(access_token).toBe('of the sign-in')
    },
  },
  {
    name: 'a new sign-in does not end the lease of an unlink',
    needs: [...NEEDS, 'getAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = { ...leaseAt(), holder: `unlink:${crypto.randomUUID()}` }
      await adapter.leaseAccount(key, lease)
      const tokens = { ...key, access_token: 'of the sign-in' }
      expect(await adapter.updateAccount(tokens)).toMatchObject(tokens)
      expect(await adapter.updateAccount(key)).toMatchObject(tokens)
      expect(await adapter.leaseAccount(key, leaseAt())).toBeNull()
      expect(await adapter.updateAccount(key, lease)).toMatchObject(tokens)
      expect(await adapter.leaseAccount(key, leaseAt())).not.toBeNull()
    },
  },
  {
    name: 'a lease whose holder died ends by itself, and he comes back too late',
    needs: NEEDS,
    async run(adapter) {
      const key = await storeAccount(adapter)
      const died = leaseAt()
      await adapter.leaseAccount(key, { ...died, until: new Date(died.now.getTime() + 1) })
      const next = leaseAt(60)
      let leased = await adapter.leaseAccount(key, next)
      // Some stores go by their own clock.
      for (let more = 1000; !leased && more > 0; more--) {
        leased = await adapter.leaseAccount(key, next)
      }
      expect(leased).not.toBeNull()
      expect(await adapter.updateAccount({ ...key, access_token: 'late' }, died)).toBeNull()
      expect(await adapter.updateAccount({ ...key, access_token: 'newer' }, next)).not.toBeNull()
    },
  },
  {
    name: 'a holder cannot bring back an account that was unlinked',
    needs: [...NEEDS, 'getAccount', 'unlinkAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = leaseAt()
      await adapter.leaseAccount(key, lease)
      await adapter.unlinkAccount(key)
      expect(await adapter.updateAccount({ ...key, access_token: 'late' }, lease)).toBeNull()
      expect(await adapter.getAccount(key.providerAccountId, key.provider)).toBeNull()
    },
  },
  {
    name: 'an account that is linked anew is leased to nobody',
    needs: [...NEEDS, 'unlinkAccount'],
    async run(adapter) {
      const [one, other] = [await storeUser(adapter), await storeUser(adapter)]
      const account = sampleAccount(one.id)
      await adapter.linkAccount(account)
      await adapter.leaseAccount(account, leaseAt())
      await adapter.unlinkAccount(account)
      await adapter.linkAccount({ ...account, userId: other.id })
      expect(await adapter.leaseAccount(account, leaseAt())).not.toBeNull()
    },
  },
  {
    name: 'two who change an account at once lose nothing that the other wrote',
    needs: [...NEEDS, 'getAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      const lease = leaseAt()
      await adapter.leaseAccount(key, lease)
      // A holder who brings tokens, and a sign-in that came without a refresh token.
      const [isHeld] = await Promise.all([
        adapter.updateAccount({ ...key, refresh_token: 'newest' }, lease),
        adapter.updateAccount({ ...key, scope: 'of the sign-in' }),
      ])
      const account = await adapter.getAccount(key.providerAccountId, key.provider)
      expect(account?.scope).toBe('of the sign-in')
      if (isHeld) expect(account?.refresh_token).toBe('newest')
    },
  },
  {
    name: 'updateAccount empties what is null',
    needs: [...NEEDS, 'getAccount'],
    async run(adapter) {
      const key = await storeAccount(adapter)
      // Sound: the contract says that null empties a property.
      const emptied = { ...key, expires_at: null as unknown as number }
      await adapter.updateAccount(emptied)
      const account = await adapter.getAccount(key.providerAccountId, key.provider)
      expect(account?.expires_at ?? undefined).toBeUndefined()
    },
  },
]
