import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { TABLES, type TableNames } from '../schema/tables.ts'
import {
  type Columns,
  createStatementCache,
  type Row,
  type StatementCache,
  type TableKey,
} from './statement.ts'

/** The parts that the statements of several tables share. */
export interface StatementContext {
  readonly dialect: SqlDialect
  readonly cache: StatementCache
  table(key: TableKey): RawBuilder<unknown>
  /** Matches the row with the primary key given, byte by byte. */
  hasKey(key: TableKey): RawBuilder<unknown>
  insertion(key: TableKey, columns: Columns): RawBuilder<Row>
  /** Makes a change return the row, where the database can. */
  readonly returning: RawBuilder<unknown>
}

export function createStatementContext(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): StatementContext {
  const table = (key: TableKey) => sql.table(names[key])
  return {
    dialect,
    cache: createStatementCache(db),
    table,
    hasKey(key) {
      const { primaryKey } = TABLES[key]
      // The index finds what the collation considers equal; the exact comparison then decides.
      const isEqual = equal(primaryKey, sql` and `)
      if (key === 'users') return isEqual
      const isExact = primaryKey.map(name => dialect.isExactly(sql.id(name), sql`${VALUE}`))
      return sql`${isEqual} and ${sql.join(isExact, sql` and `)}`
    },
    insertion: (key, columns) =>
      sql<Row>`insert into ${table(key)} (${list(columns)}) values (${sql.join(columns.map(() => VALUE))})`,
    returning: dialect.hasReturning ? sql`returning *` : sql``,
  }
}

/** The values of a primary key, as statements with {@link StatementContext.hasKey} need them. */
export function keyValues(key: TableKey, values: readonly unknown[]): readonly unknown[] {
  return key === 'users' ? values : [...values, ...values]
}

// A placeholder: the compiler replaces any value with a parameter.
export const VALUE = null

/** Matches the rows of the user given. */
export const OF_USER: RawBuilder<unknown> = equal(['userId'])

export function list(columns: Columns): RawBuilder<unknown> {
  return sql.join(columns.map(name => sql.id(name)))
}

export function equal(
  columns: Columns,
  between: RawBuilder<unknown> = sql`, `,
): RawBuilder<unknown> {
  return sql.join(
    columns.map(name => sql`${sql.id(name)} = ${VALUE}`),
    between,
  )
}
