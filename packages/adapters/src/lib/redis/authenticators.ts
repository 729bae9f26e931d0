import type { AdapterAuthenticator } from '@siteauth/core/adapters'
import type { AuthenticatorMethods } from '../adapter-methods.ts'
import type { RedisTables } from './open-tables.ts'
import type { RecordId } from './redis-keys.ts'

export function redisAuthenticators({ records }: RedisTables): AuthenticatorMethods {
  const find = (credentialID: string) => records.read<AdapterAuthenticator>(passkeyId(credentialID))

  return {
    async createAuthenticator(authenticator) {
      const { userId, credentialID } = authenticator
      const isStored = await records.write(passkeyId(credentialID), userId, authenticator)
      if (!isStored) throw new Error('this credential exists already')
      return authenticator
    },
    async deleteAuthenticator({ credentialID, userId }) {
      const found = await find(credentialID)
      if (found?.userId !== userId) {
        await records.removeStray(passkeyId(credentialID), userId)
        return null
      }
      const isRemoved = await records.remove(passkeyId(credentialID), found)
      return isRemoved ? found.record : null
    },
    async getAuthenticator(credentialID) {
      return (await find(credentialID))?.record ?? null
    },
    listAuthenticatorsByUserId: userId => records.list('authenticators', userId),
    async updateAuthenticatorCounter(credentialID, counter, from) {
      // Again if the record has changed meanwhile: without `from`, any counter is replaced.
      for (let attempt = 0; attempt < 20; attempt++) {
        const found = await find(credentialID)
        if (!found) throw new Error('no authenticator has this credential')
        if (from !== undefined && found.record.counter !== from) return null
        const changed = { ...found.record, counter }
        if (await records.replace(passkeyId(credentialID), found, changed)) return changed
      }
      throw new Error('the authenticator is being changed by too many at once')
    },
  }
}

export function passkeyId(credentialID: string): RecordId {
  return { kind: 'authenticators', field: credentialID }
}
