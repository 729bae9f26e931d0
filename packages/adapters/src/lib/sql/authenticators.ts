import type { AdapterAuthenticator } from '@siteauth/core/adapters'
import type { AuthenticatorMethods } from '../adapter-methods.ts'
import { insertCredential } from './insert-credential.ts'
import type { SqlTables } from './open-tables.ts'
import { textFrom } from './rows/row-values.ts'
import type { Row } from './statements/statement.ts'

export function sqlAuthenticators(tables: SqlTables): AuthenticatorMethods {
  async function getAuthenticator(credentialID: string): Promise<AdapterAuthenticator | null> {
    const row = await tables.find('authenticators', [credentialID])
    return row && authenticatorFrom(row)
  }

  return {
    async createAuthenticator(authenticator) {
      const id = [authenticator.credentialID]
      await insertCredential(tables, 'authenticators', authenticator, id)
      return authenticator
    },
    async deleteAuthenticator({ credentialID, userId }) {
      const found = await getAuthenticator(credentialID)
      if (found?.userId !== userId) return null
      const row = await tables.remove('authenticators', [credentialID])
      return row && authenticatorFrom(row)
    },
    getAuthenticator,
    async listAuthenticatorsByUserId(userId) {
      const key = await tables.userKey(userId)
      if (key === null) return []
      const { rows } = await tables.run(tables.statements.rows.findOfUser('authenticators'), [key])
      return rows.map(authenticatorFrom)
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const row = await tables.update('authenticators', [credentialID], { counter })
      if (!row) throw new Error('no authenticator has this credential')
      return authenticatorFrom(row)
    },
  }
}

function authenticatorFrom(row: Row): AdapterAuthenticator {
  const { id: _, ...members } = row
  // Sound: the columns of the authenticators table, with those converted that differ.
  return {
    ...members,
    userId: String(row['userId']),
    credentialID: textFrom(row['credentialID']),
    providerAccountId: textFrom(row['providerAccountId']),
    counter: Number(row['counter']),
    credentialBackedUp: Boolean(row['credentialBackedUp']),
  } as AdapterAuthenticator
}
