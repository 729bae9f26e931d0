import type { VerificationToken } from '@siteauth/core/adapters'
import type { VerificationTokenMethods } from '../adapter-methods.ts'
import type { Upkeep } from './expiry/upkeep.ts'
import type { SqlTables } from './open-tables.ts'
import { dateFrom } from './rows/row-values.ts'
import type { Row } from './statements/statement.ts'

export function sqlVerificationTokens(tables: SqlTables, upkeep: Upkeep): VerificationTokenMethods {
  return {
    async createVerificationToken(token) {
      await tables.insert('verificationTokens', token)
      await upkeep.afterAdding('verificationTokens')
      return token
    },
    async useVerificationToken({ identifier, token }) {
      const row = await tables.remove('verificationTokens', [identifier, token])
      return row && tokenFrom(row)
    },
  }
}

function tokenFrom(row: Row): VerificationToken {
  const expires = dateFrom(row['expires'])
  if (!expires) throw new TypeError('the token has no expiry date')
  return { identifier: String(row['identifier']), token: String(row['token']), expires }
}
