import { sql } from 'kysely'
import type { Columns, Statement } from './statement.ts'
import { equal, OF_USER, type StatementContext, VALUE } from './statement-context.ts'

export interface PasswordStatements {
  /** Needs the columns, the user, and the hash that is replaced: a password with another one is kept. */
  replace(columns: Columns): Statement
  /** Needs the user and the hash: a password with another one is kept. */
  removeWithHash(): Statement
}

export function passwordStatements(context: StatementContext): PasswordStatements {
  const { dialect, cache, table } = context
  const hasHash = dialect.isExactly(sql.id('hash'), sql`${VALUE}`)
  return {
    removeWithHash: () =>
      cache('remove password', () => {
        return sql`delete from ${table('passwords')} where ${OF_USER} and ${hasHash}`
      }),
    replace: columns =>
      cache(`replace password ${JSON.stringify(columns)}`, () => {
        return sql`update ${table('passwords')} set ${equal(columns)} where ${OF_USER} and ${hasHash}`
      }),
  }
}
