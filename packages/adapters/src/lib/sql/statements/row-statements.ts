import { sql } from 'kysely'
import { TABLES } from '../schema/tables.ts'
import type { Columns, Statement, TableKey } from './statement.ts'
import { equal, OF_USER, type StatementContext, VALUE } from './statement-context.ts'

/** Tables with credentials of users, whose rows can outlive the user where there are no foreign keys. */
export type CredentialKey = 'accounts' | 'authenticators'
/** Tables whose column `expires` contains dates. */
export type ExpiringKey = 'sessions' | 'verificationTokens' | 'trackedSessions'

/**
 * Statements that any table can have. Those of a single row need the values of its primary key as
 * `keyValues` returns them, after all others; those that write columns need their values first, in the
 * order of the columns.
 */
export interface RowStatements {
  find(key: TableKey): Statement
  /** The row whose primary key the collations consider equal, which may be another one. */
  findLookalike(key: TableKey): Statement
  findOfUser(key: TableKey): Statement
  /** The rows of a user, those that expire last first, each with the time of the database as `store_now`. */
  listOfUser(key: ExpiringKey, limit?: number): Statement
  /** The time of the database as `store_now`. */
  now(): Statement
  insert(key: TableKey, columns: Columns): Statement
  /** Returns the changed row where the database can. */
  update(key: TableKey, columns: Columns): Statement
  remove(key: TableKey): Statement
  /** Removes the row, and returns it where the database can. */
  take(key: TableKey): Statement
  /** The same for a row of the user given last. */
  takeOfUser(key: CredentialKey): Statement
  removeOfUser(key: TableKey): Statement
  /** Removes all rows of a user but those whose primary keys follow the user. */
  removeOthersOfUser(key: ExpiringKey, count: number): Statement
  /** Removes the rows of a user with one of that many primary keys, which follow the user. */
  removeSeveralOfUser(key: ExpiringKey, count: number): Statement
  /** Removes a row if its user is gone. */
  removeOrphan(key: CredentialKey): Statement
}

export function rowStatements(context: StatementContext): RowStatements {
  const { dialect, cache, table, hasKey, insertion, returning } = context
  return {
    find: key => cache(`find ${key}`, () => sql`select * from ${table(key)} where ${hasKey(key)}`),
    findLookalike: key =>
      cache(`find alike ${key}`, () => {
        return sql`select * from ${table(key)} where ${equal(TABLES[key].primaryKey, sql` and `)}`
      }),
    findOfUser: key =>
      cache(`find ${key} of user`, () => sql`select * from ${table(key)} where ${OF_USER}`),
    listOfUser: (key, limit) =>
      cache(`list ${limit} ${key} of user`, () => {
        const last = limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`
        return sql`select r.*, ${dialect.clock} as store_now from ${table(key)} r
          where ${OF_USER} order by expires desc ${last}`
      }),
    now: () => cache('now', () => sql`select ${dialect.clock} as store_now`),
    insert: (key, columns) =>
      cache(`insert ${key} ${JSON.stringify(columns)}`, () => insertion(key, columns)),
    update: (key, columns) =>
      cache(`update ${key} ${JSON.stringify(columns)}`, () => {
        return sql`update ${table(key)} set ${equal(columns)} where ${hasKey(key)} ${returning}`
      }),
    remove: key =>
      cache(`remove ${key}`, () => sql`delete from ${table(key)} where ${hasKey(key)}`),
    take: key =>
      cache(`take ${key}`, () => {
        const returningDeleted = sql.raw(dialect.returningDeleted)
        return sql`delete from ${table(key)} where ${hasKey(key)} ${returningDeleted}`
      }),
    takeOfUser: key =>
      cache(`take ${key} of user`, () => {
        const returningDeleted = sql.raw(dialect.hasReturning ? dialect.returningDeleted : '')
        return sql`delete from ${table(key)} where ${hasKey(key)} and ${OF_USER} ${returningDeleted}`
      }),
    removeOfUser: key =>
      cache(`remove ${key} of user`, () => sql`delete from ${table(key)} where ${OF_USER}`),
    removeOthersOfUser: (key, count) =>
      cache(`remove all but ${count} ${key} of user`, () => {
        const [id = ''] = TABLES[key].primaryKey
        const isOther = sql`not (${dialect.isExactly(sql.id(id), sql`${VALUE}`)})`
        const areOthers = sql.join(
          Array.from({ length: count }, () => isOther),
          sql` and `,
        )
        return sql`delete from ${table(key)} where ${OF_USER} and ${areOthers}`
      }),
    removeSeveralOfUser: (key, count) => {
      const { hasOneText, isAmong } = dialect.revocations
      return cache(`remove ${hasOneText ? 'several' : count} ${key} of user`, () => {
        const [id = ''] = TABLES[key].primaryKey
        return sql`delete from ${table(key)} where ${OF_USER} and ${isAmong(sql.id(id), count)}`
      })
    },
    removeOrphan: key =>
      cache(`remove lost ${key}`, () => {
        return sql`delete from ${table(key)} where ${hasKey(key)} and not exists (
          select 1 from ${table('users')} u where u.id = ${table(key)}.${sql.id('userId')})`
      }),
  }
}
