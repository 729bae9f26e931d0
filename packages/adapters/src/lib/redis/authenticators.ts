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
      if (found?.userId !== userId) return null
      const isRemoved = await records.remove(passkeyId(credentialID), found)
      return isRemoved ? found.record : null
    },
    async getAuthenticator(credentialID) {
      return (await find(credentialID))?.record ?? null
    },
    listAuthenticatorsByUserId: userId => records.list('authenticators', userId),
    async updateAuthenticatorCounter(credentialID, counter) {
      const found = await find(credentialID)
      const changed = found && { ...found.record, counter }
      const isReplaced = changed && (await records.replace(passkeyId(credentialID), found, changed))
      if (!changed || !isReplaced) throw new Error('no authenticator has this credential')
      return changed
    },
  }
}

export function passkeyId(credentialID: string): RecordId {
  return { kind: 'authenticators', field: credentialID }
}
