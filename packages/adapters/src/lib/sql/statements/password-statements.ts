import { sql } from 'kysely'
import type { Columns, Statement } from './statement.ts'
import { equal, OF_USER, type StatementContext, VALUE } from './statement-context.ts'

export interface PasswordStatements {
  /** Needs the columns, the user, and the hash that is replaced: a password with another one is kept. */
  replace(columns: Columns): Statement
}

export function passwordStatements(context: StatementContext): PasswordStatements {
  const { dialect, cache, table } = context
  return {
    replace: columns =>
      cache(`replace password ${JSON.stringify(columns)}`, () => {
        const hasHash = dialect.isExactly(sql.id('hash'), sql`${VALUE}`)
        return sql`update ${table('passwords')} set ${equal(columns)} where ${OF_USER} and ${hasHash}`
      }),
  }
}
