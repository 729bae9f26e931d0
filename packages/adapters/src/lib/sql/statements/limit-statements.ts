import type { LimitRule } from '@siteauth/core/adapters'
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { KEY } from './limit-sql.ts'
import { createStatementCache, type Row, type Statement } from './statement.ts'

export interface LimitStatements {
  /** Counts an attempt if the rule allows one. */
  take(rule: LimitRule): Statement
  /** Finds when the next attempt is allowed. */
  find(): Statement
  forget(): Statement
}

export function limitStatements(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  name: string,
): LimitStatements {
  const table = sql.table(name)
  const cache = createStatementCache(db)
  return {
    take: rule => cache(`take ${JSON.stringify(rule)}`, () => dialect.limits.take(table, rule)),
    find: () =>
      cache('find', () => {
        return sql<Row>`select ${sql.id('notBefore')} as next from ${table} where ${KEY} = ${null}`
      }),
    forget: () => cache('forget', () => sql<Row>`delete from ${table} where ${KEY} = ${null}`),
  }
}
