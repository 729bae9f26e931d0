import { sql } from 'kysely'
import type { Statement } from './statement.ts'
import { equal, type StatementContext } from './statement-context.ts'

export interface AuthenticatorStatements {
  /** Needs the counter, the key, and the counter that it is raised from. Returns the passkey where the database can. */
  raiseCounter(): Statement
}

export function authenticatorStatements(context: StatementContext): AuthenticatorStatements {
  const { cache, table, hasKey, returning } = context
  return {
    raiseCounter: () =>
      cache('raise counter', () => {
        return sql`update ${table('authenticators')} set ${equal(['counter'])}
          where ${hasKey('authenticators')} and ${equal(['counter'])} ${returning}`
      }),
  }
}
