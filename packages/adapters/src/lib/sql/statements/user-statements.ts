import { sql } from 'kysely'
import type { Columns, Statement } from './statement.ts'
import { equal, type StatementContext, VALUE } from './statement-context.ts'

export interface UserStatements {
  /** Returns the new user where the database can. */
  store(columns: Columns): Statement
  /** Updates a user, whose id is given last, if nobody has proved the address. */
  updateUnproved(columns: Columns): Statement
  /** Finds a user by its id, and keeps all others from changing it until the transaction ends. */
  lock(): Statement
  findByEmail(): Statement
  findByAccount(): Statement
}

export function userStatements(context: StatementContext): UserStatements {
  const { dialect, cache, table, hasKey, insertion } = context
  return {
    store: columns =>
      cache(`store user ${JSON.stringify(columns)}`, () => {
        return sql`${insertion('users', columns)} ${sql.raw(dialect.returningInserted)}`
      }),
    updateUnproved: columns =>
      cache(`update unproved user ${JSON.stringify(columns)}`, () => {
        return sql`update ${table('users')} set ${equal(columns)}
          where ${hasKey('users')} and ${sql.id('emailVerified')} is null`
      }),
    lock: () =>
      cache('lock user', () => {
        const lockRows = sql.raw(dialect.lockRows)
        return sql`select * from ${table('users')} where ${hasKey('users')} ${lockRows}`
      }),
    findByEmail: () =>
      cache('find user by email', () => {
        return sql`select * from ${table('users')} where email = ${VALUE}`
      }),
    findByAccount: () =>
      cache('find user by account', () => {
        const account = sql.id('providerAccountId')
        return sql`
          select u.*, a.provider as account_provider, a.${account} as account_id
          from ${table('accounts')} a join ${table('users')} u on u.id = a.${sql.id('userId')}
          where a.provider = ${VALUE} and a.${account} = ${VALUE}`
      }),
  }
}
