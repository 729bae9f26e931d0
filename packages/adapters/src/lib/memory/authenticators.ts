import type { AuthenticatorMethods } from '../adapter-methods.ts'
import { copyRecord } from './copy-record.ts'
import type { MemoryTables } from './tables.ts'

export function memoryAuthenticators({ authenticators }: MemoryTables): AuthenticatorMethods {
  return {
    createAuthenticator(authenticator) {
      const { credentialID } = authenticator
      if (authenticators.has(credentialID)) throw new Error('this credential exists already')
      authenticators.set(credentialID, authenticator)
      return authenticator
    },
    deleteAuthenticator({ credentialID, userId }) {
      const authenticator = authenticators.get(credentialID)
      if (authenticator?.userId !== userId) return null
      authenticators.delete(credentialID)
      return authenticator
    },
    getAuthenticator: credentialID => copyRecord(authenticators.get(credentialID)),
    listAuthenticatorsByUserId: userId =>
      authenticators.rowsOf(userId).map(authenticator => ({ ...authenticator })),
    updateAuthenticatorCounter(credentialID, counter, from) {
      const authenticator = authenticators.get(credentialID)
      if (!authenticator) throw new Error('no authenticator has this credential')
      if (from !== undefined && authenticator.counter !== from) return null
      return copyRecord(authenticators.update(credentialID, { counter }))
    },
  }
}
