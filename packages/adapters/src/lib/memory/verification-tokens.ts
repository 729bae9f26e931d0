import type { VerificationToken } from '@siteauth/core/adapters'
import type { VerificationTokenMethods } from '../adapter-methods.ts'
import type { MemoryTables } from './tables.ts'

export function memoryVerificationTokens({
  verificationTokens,
}: MemoryTables): VerificationTokenMethods {
  return {
    createVerificationToken(token) {
      const key = tokenKey(token)
      if (verificationTokens.has(key)) throw new Error('this token exists already')
      verificationTokens.set(key, token)
      return token
    },
    useVerificationToken(given) {
      const key = tokenKey(given)
      const token = verificationTokens.get(key)
      verificationTokens.delete(key)
      return token ?? null
    },
  }
}

function tokenKey({ identifier, token }: Pick<VerificationToken, 'identifier' | 'token'>): string {
  return JSON.stringify([identifier, token])
}
