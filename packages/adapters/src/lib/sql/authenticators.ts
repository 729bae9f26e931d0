import type { AdapterAuthenticator } from '@siteauth/core/adapters'
import type { AuthenticatorMethods } from '../adapter-methods.ts'
import { insertCredential } from './insert-credential.ts'
import type { SqlTables } from './open-tables.ts'
import { textFrom } from './rows/row-values.ts'
import type { Row } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'

export function sqlAuthenticators(tables: SqlTables): AuthenticatorMethods {
  async function getAuthenticator(credentialID: string): Promise<AdapterAuthenticator | null> {
    const row = await tables.find('authenticators', [credentialID])
    return row && authenticatorFrom(row)
  }

  /** Changes a counter that is still the given one; null if it is another by now. */
  async function raiseCounter(credentialID: string, counter: number, from: number) {
    if (counter === from) {
      // Of an authenticator that does not count. Some drivers count no row that is stored as it was.
      const unchanged = await getAuthenticator(credentialID)
      if (!unchanged) throw new Error(NO_AUTHENTICATOR)
      return unchanged.counter === from ? unchanged : null
    }
    const statement = tables.statements.authenticators.raiseCounter()
    const values = [counter, ...keyValues('authenticators', [credentialID]), from]
    const { rows, numAffectedRows } = await tables.run(statement, values)
    const isRaised = tables.dialect.hasReturning ? rows.length > 0 : Boolean(numAffectedRows)
    const found = await getAuthenticator(credentialID)
    if (!found) throw new Error(NO_AUTHENTICATOR)
    return isRaised ? { ...found, counter } : null
  }

  return {
    async createAuthenticator(authenticator) {
      const id = [authenticator.credentialID]
      await insertCredential(tables, 'authenticators', authenticator, id)
      return authenticator
    },
    async deleteAuthenticator({ credentialID, userId }) {
      const row = await tables.removeOf(userId, 'authenticators', [credentialID])
      return row && authenticatorFrom(row)
    },
    getAuthenticator,
    async listAuthenticatorsByUserId(userId) {
      const key = await tables.userKey(userId)
      if (key === null) return []
      const { rows } = await tables.run(tables.statements.rows.findOfUser('authenticators'), [key])
      return rows.map(authenticatorFrom)
    },
    async updateAuthenticatorCounter(credentialID, counter, from) {
      if (from !== undefined) return raiseCounter(credentialID, counter, from)
      const row = await tables.update('authenticators', [credentialID], { counter })
      if (!row) throw new Error(NO_AUTHENTICATOR)
      return authenticatorFrom(row)
    },
  }
}

const NO_AUTHENTICATOR = 'no authenticator has this credential'

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
