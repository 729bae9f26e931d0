import type { AdapterUser } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase, Need, RequiredAdapter } from './adapter-case.ts'
import {
  expectDate,
  inHours,
  ownerOf,
  sampleAccount,
  sampleAuthenticator,
  sampleSession,
  storeUser,
} from './samples.ts'

const NEEDS: readonly Need[] = ['createUser', 'getUser', 'claimUser', 'linkAccount', 'listAccounts']

async function verifiedOf(adapter: RequiredAdapter, { id }: AdapterUser): Promise<Date | null> {
  return (await adapter.getUser(id))?.emailVerified ?? null
}

/** The user whose address somebody else proves. */
async function storeWithAccount(adapter: RequiredAdapter) {
  const user = await storeUser(adapter)
  const account = sampleAccount(user.id)
  await adapter.linkAccount(account)
  return { user, account }
}

/** The owner of an address gets the user that holds it, and nobody else stays in it. */
export const CLAIM_CASES: readonly AdapterCase[] = [
  {
    name: 'claimUser stores that the address is proved if nothing belongs to the user',
    needs: NEEDS,
    async run(adapter) {
      const user = await storeUser(adapter)
      const emailVerified = inHours(0)
      const claimed = await adapter.claimUser({ user, emailVerified })
      expect(claimed).toMatchObject({ accounts: [], passkeys: [], hadPassword: false, sessions: 0 })
      expect(claimed?.user).toMatchObject({ id: user.id, email: user.email })
      expectDate(claimed?.user?.emailVerified, emailVerified)
      expectDate(await verifiedOf(adapter, user), emailVerified)
    },
  },
  {
    name: 'claimUser removes all by which somebody could sign in, and then stores nothing else',
    needs: [...NEEDS, 'createAuthenticator', 'getAuthenticator', 'createSession', 'listSessions'],
    async run(adapter) {
      const { user, account } = await storeWithAccount(adapter)
      const authenticator = sampleAuthenticator(user.id)
      await adapter.createAuthenticator(authenticator)
      await adapter.createSession(sampleSession(user.id))
      const { provider, providerAccountId, type } = account
      expect(await adapter.claimUser({ user, emailVerified: new Date() })).toEqual({
        user: null,
        accounts: [{ provider, providerAccountId, type }],
        passkeys: [{ credentialID: authenticator.credentialID }],
        hadPassword: false,
        sessions: 1,
      })
      expect(await verifiedOf(adapter, user)).toBeNull()
      expect(await ownerOf(adapter, account)).toBeNull()
      expect(await adapter.getAuthenticator(authenticator.credentialID)).toBeNull()
      expect(await adapter.listSessions(user.id)).toEqual([])
      // The account can be linked again, by anybody.
      const other = await storeUser(adapter)
      await adapter.linkAccount({ ...account, userId: other.id })
      expect((await ownerOf(adapter, account))?.id).toBe(other.id)
    },
  },
  {
    name: 'claimUser removes the password of the user, and then stores nothing else',
    needs: [...NEEDS, 'passwords'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const { id: userId } = user
      await adapter.passwords.set({ userId, hash: 'hash', changedAt: new Date() })
      const claimed = await adapter.claimUser({ user, emailVerified: new Date() })
      expect(claimed).toMatchObject({ user: null, hadPassword: true })
      expect(await adapter.passwords.get(userId)).toBeNull()
      expect(await verifiedOf(adapter, user)).toBeNull()
    },
  },
  {
    name: 'claimUser stores that the address is proved although the user has sessions, which end',
    needs: [...NEEDS, 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const other = await storeUser(adapter)
      const { sessionToken } = await adapter.createSession(sampleSession(user.id))
      const otherSession = await adapter.createSession(sampleSession(other.id))
      const claimed = await adapter.claimUser({ user, emailVerified: new Date() })
      expect(claimed?.user?.id).toBe(user.id)
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      expect(await adapter.getSessionAndUser(otherSession.sessionToken)).not.toBeNull()
    },
  },
  {
    name: 'claimUser without a time only removes',
    needs: NEEDS,
    async run(adapter) {
      const { user, account } = await storeWithAccount(adapter)
      const claimed = await adapter.claimUser({ user, emailVerified: null })
      expect(claimed).toMatchObject({ user: null, accounts: [{ provider: account.provider }] })
      expect(await adapter.claimUser({ user, emailVerified: null })).toMatchObject({ user: null })
      expect(await verifiedOf(adapter, user)).toBeNull()
    },
  },
  {
    name: 'claimUser changes nothing if the address was proved since, or is another one, or the user is gone',
    needs: [...NEEDS, 'updateUser', 'deleteUser'],
    async run(adapter) {
      const { user, account } = await storeWithAccount(adapter)
      await adapter.updateUser({ id: user.id, emailVerified: inHours(-1) })
      expect(await adapter.claimUser({ user, emailVerified: new Date() })).toBeNull()
      expectDate(await verifiedOf(adapter, user), inHours(-1), 60_000)
      expect((await ownerOf(adapter, account))?.id).toBe(user.id)

      const moved = await storeWithAccount(adapter)
      await adapter.updateUser({ id: moved.user.id, email: `${crypto.randomUUID()}@example.com` })
      expect(await adapter.claimUser({ user: moved.user, emailVerified: new Date() })).toBeNull()
      expect(await verifiedOf(adapter, moved.user)).toBeNull()
      expect((await ownerOf(adapter, moved.account))?.id).toBe(moved.user.id)

      await adapter.deleteUser(user.id)
      expect(await adapter.claimUser({ user, emailVerified: new Date() })).toBeNull()
    },
  },
  {
    name: 'claimUser with an account stores that the address is proved if the user has nothing else',
    needs: [...NEEDS, 'createSession', 'getSessionAndUser'],
    async run(adapter) {
      const { user, account } = await storeWithAccount(adapter)
      const { sessionToken } = await adapter.createSession(sampleSession(user.id))
      const claimed = await adapter.claimUser({ user, emailVerified: new Date(), account })
      expect(claimed?.user?.id).toBe(user.id)
      expect(await verifiedOf(adapter, user)).not.toBeNull()
      expect((await ownerOf(adapter, account))?.id).toBe(user.id)
      expect(await adapter.getSessionAndUser(sessionToken)).not.toBeNull()
    },
  },
  {
    name: 'claimUser with an account changes nothing if the user has another one, a passkey or a password',
    needs: [...NEEDS, 'createAuthenticator', 'passwords'],
    async run(adapter) {
      const additions: ((userId: string) => unknown)[] = [
        userId => adapter.linkAccount(sampleAccount(userId)),
        userId => adapter.createAuthenticator(sampleAuthenticator(userId)),
        userId => adapter.passwords.set({ userId, hash: 'hash', changedAt: new Date() }),
      ]
      for (const add of additions) {
        const { user, account } = await storeWithAccount(adapter)
        await add(user.id)
        expect(await adapter.claimUser({ user, emailVerified: new Date(), account })).toBeNull()
        expect(await verifiedOf(adapter, user)).toBeNull()
        expect((await ownerOf(adapter, account))?.id).toBe(user.id)
      }
      const { account } = await storeWithAccount(adapter)
      const user = await storeUser(adapter)
      expect(await adapter.claimUser({ user, emailVerified: new Date(), account })).toBeNull()
    },
  },
  {
    name: 'an account that is linked while claimUser runs is removed, or not linked, or prevents it',
    needs: [...NEEDS, 'linkAccountIf'],
    async run(adapter) {
      for (let round = 0; round < 10; round++) {
        const user = await storeUser(adapter)
        const linking = Array.from({ length: 4 }, () =>
          adapter.linkAccountIf({ account: sampleAccount(user.id), condition: { user } }),
        )
        const claiming = adapter.claimUser({ user, emailVerified: new Date() })
        const [claimed, outcomes] = await Promise.all([claiming, Promise.all(linking)])
        const linked = await adapter.listAccounts(user.id)
        const count = outcomes.filter(outcome => outcome === 'linked').length
        expect(linked.length + (claimed?.accounts.length ?? 0)).toBe(count)
        if (claimed?.user) expect(linked).toEqual([])
        else expect(await verifiedOf(adapter, user)).toBeNull()
      }
    },
  },
]
