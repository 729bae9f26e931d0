import type { VerificationToken } from '@siteauth/core/adapters'
import type { VerificationTokenMethods } from '../adapter-methods.ts'
import type { RedisTables } from './open-tables.ts'
import { decodeValue, encodeValue } from './records/encoding.ts'

export function redisVerificationTokens({ send, keys }: RedisTables): VerificationTokenMethods {
  return {
    async createVerificationToken(token) {
      const key = keys.verificationToken(token)
      const expires = token.expires.getTime()
      const stored = await send('set', key, encodeValue(token), 'PXAT', expires, 'NX')
      if (stored === null) throw new Error('this token exists already')
      return token
    },
    async useVerificationToken(given) {
      // One command, so that only one caller gets the token.
      const text = await send('getdel', keys.verificationToken(given))
      // Sound: written by createVerificationToken.
      return typeof text === 'string' ? (decodeValue(text) as VerificationToken) : null
    },
  }
}
