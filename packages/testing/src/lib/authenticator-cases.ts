import type { AdapterAuthenticator } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import { sampleAuthenticator, storeUser } from './samples.ts'

export const AUTHENTICATOR_CASES: readonly AdapterCase[] = [
  {
    name: 'createAuthenticator stores an authenticator, and getAuthenticator finds it',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const authenticator = sampleAuthenticator(user.id)
      expectAuthenticator(await adapter.createAuthenticator(authenticator), authenticator)
      const found = await adapter.getAuthenticator(authenticator.credentialID)
      expectAuthenticator(found, authenticator)
    },
  },
  {
    name: 'createAuthenticator takes one without transports that is not backed up',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const authenticator = sampleAuthenticator(user.id, {
        credentialBackedUp: false,
        transports: null,
      })
      await adapter.createAuthenticator(authenticator)
      const found = await adapter.getAuthenticator(authenticator.credentialID)
      expect(found?.credentialBackedUp).toBe(false)
      expect(found?.transports ?? null).toBeNull()
    },
  },
  {
    name: 'getAuthenticator answers null for a credential that nobody has',
    needs: ['getAuthenticator'],
    async run(adapter) {
      expect(await adapter.getAuthenticator(btoa(crypto.randomUUID()))).toBeNull()
    },
  },
  {
    name: 'a credential in other letters is another credential',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const credentialID = `abc${btoa(crypto.randomUUID())}`
      await adapter.createAuthenticator(sampleAuthenticator(user.id, { credentialID }))
      expect(await adapter.getAuthenticator(credentialID.replace('abc', 'ABC'))).toBeNull()
    },
  },
  {
    // The most that WebAuthn lets them be, and a passkey is an account as well.
    name: 'credential ids of 1023 bytes are taken, and find their user',
    needs: [
      'createUser',
      'createAuthenticator',
      'getAuthenticator',
      'linkAccount',
      'getUserByAccount',
    ],
    async run(adapter) {
      const user = await storeUser(adapter)
      const bytes = crypto.getRandomValues(new Uint8Array(1023))
      const credentialID = btoa(String.fromCharCode(...bytes))
      const account = { provider: 'passkey', providerAccountId: credentialID }
      await adapter.linkAccount({ ...account, userId: user.id, type: 'webauthn' })
      const authenticator = sampleAuthenticator(user.id, {
        credentialID,
        providerAccountId: credentialID,
      })
      await adapter.createAuthenticator(authenticator)
      expectAuthenticator(await adapter.getAuthenticator(credentialID), authenticator)
      expect((await adapter.getUserByAccount(account))?.id).toBe(user.id)
    },
  },
  {
    name: 'one credential cannot be stored twice',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator'],
    async run(adapter) {
      const [one, two] = [await storeUser(adapter), await storeUser(adapter)]
      const authenticator = sampleAuthenticator(one.id)
      await adapter.createAuthenticator(authenticator)
      const again = async () => adapter.createAuthenticator({ ...authenticator, userId: two.id })
      await expect(again()).rejects.toThrow()
      expect((await adapter.getAuthenticator(authenticator.credentialID))?.userId).toBe(one.id)
    },
  },
  {
    name: 'deleteAuthenticator removes that of the user, whom it can then be made for again',
    needs: [
      'createUser',
      'createAuthenticator',
      'getAuthenticator',
      'listAuthenticatorsByUserId',
      'deleteAuthenticator',
    ],
    async run(adapter) {
      const user = await storeUser(adapter)
      const [gone, remaining] = [sampleAuthenticator(user.id), sampleAuthenticator(user.id)]
      for (const each of [gone, remaining]) await adapter.createAuthenticator(each)
      const { credentialID } = gone
      const result = await adapter.deleteAuthenticator({ userId: user.id, credentialID })
      expectAuthenticator(result, gone)
      expect(await adapter.getAuthenticator(credentialID)).toBeNull()
      expect(await adapter.listAuthenticatorsByUserId(user.id)).toHaveLength(1)
      expect(await adapter.deleteAuthenticator({ userId: user.id, credentialID })).toBeNull()
      await adapter.createAuthenticator(gone)
      expectAuthenticator(await adapter.getAuthenticator(credentialID), gone)
    },
  },
  {
    name: 'deleteAuthenticator leaves that of another user alone',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator', 'deleteAuthenticator'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const authenticator = sampleAuthenticator(other.id)
      await adapter.createAuthenticator(authenticator)
      const { credentialID } = authenticator
      expect(await adapter.deleteAuthenticator({ userId: user.id, credentialID })).toBeNull()
      expectAuthenticator(await adapter.getAuthenticator(credentialID), authenticator)
    },
  },
  {
    name: 'listAuthenticatorsByUserId answers all of the user’s and none of others',
    needs: ['createUser', 'createAuthenticator', 'listAuthenticatorsByUserId'],
    async run(adapter) {
      const [user, other] = [await storeUser(adapter), await storeUser(adapter)]
      const own = [sampleAuthenticator(user.id), sampleAuthenticator(user.id)]
      for (const each of [...own, sampleAuthenticator(other.id)]) {
        await adapter.createAuthenticator(each)
      }
      const found = await adapter.listAuthenticatorsByUserId(user.id)
      const ids = (list: AdapterAuthenticator[]) => list.map(each => each.credentialID).sort()
      expect(ids(found)).toEqual(ids(own))
    },
  },
  {
    name: 'listAuthenticatorsByUserId answers an empty list for a user without any',
    needs: ['createUser', 'listAuthenticatorsByUserId'],
    async run(adapter) {
      const user = await storeUser(adapter)
      expect(await adapter.listAuthenticatorsByUserId(user.id)).toEqual([])
    },
  },
  {
    name: 'updateAuthenticatorCounter sets the counter and answers the authenticator',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator', 'updateAuthenticatorCounter'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const authenticator = sampleAuthenticator(user.id)
      await adapter.createAuthenticator(authenticator)
      // Counters are unsigned and have 32 bits (WebAuthn §6.1); one above 2^31 is rare but legal.
      for (const counter of [1, 2 ** 31 - 1]) {
        const changed = { ...authenticator, counter }
        const result = await adapter.updateAuthenticatorCounter(authenticator.credentialID, counter)
        expectAuthenticator(result, changed)
        const found = await adapter.getAuthenticator(authenticator.credentialID)
        expectAuthenticator(found, changed)
      }
    },
  },
  {
    name: 'a counter may use all of its 32 bits',
    needs: ['createUser', 'createAuthenticator', 'getAuthenticator', 'updateAuthenticatorCounter'],
    async run(adapter) {
      const user = await storeUser(adapter)
      const { credentialID } = await adapter.createAuthenticator(sampleAuthenticator(user.id))
      await adapter.updateAuthenticatorCounter(credentialID, 2 ** 32 - 1)
      expect((await adapter.getAuthenticator(credentialID))?.counter).toBe(2 ** 32 - 1)
    },
  },
  {
    name: 'updateAuthenticatorCounter fails for a credential that nobody has',
    needs: ['updateAuthenticatorCounter'],
    async run(adapter) {
      const update = async () => adapter.updateAuthenticatorCounter(btoa(crypto.randomUUID()), 1)
      await expect(update()).rejects.toThrow()
    },
  },
]

function expectAuthenticator(
  actual: AdapterAuthenticator | null,
  expected: AdapterAuthenticator,
): void {
  expect(actual).toMatchObject({ ...expected })
}
