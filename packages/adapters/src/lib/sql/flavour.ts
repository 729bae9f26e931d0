import type { Kysely, RawBuilder } from 'kysely'
import type { ColumnRules } from './column-limits.ts'
import type { LimitSql } from './limit-sql.ts'
import type { RevocationSql } from './revocation-sql.ts'
import type { ColumnKind } from './tables.ts'

/** How one kind of database differs from the others. */
export interface Flavour extends ColumnRules {
  /** Whether rows that are changed or deleted can be answered by the same statement. */
  readonly hasReturning: boolean
  /** What has an insertion answer the rows that it inserted, or has no effect. */
  readonly returningInserted: string
  /** What has a deletion answer the rows that it deleted, or has no effect. */
  readonly returningDeleted: string
  /** Whether it has that effect on this server. */
  tellsDeleted(db: Kysely<unknown>): Promise<boolean>
  /** Whether one statement can insert into several tables. */
  readonly hasWritingCte: boolean
  /** Whether a deletion can be told how many rows to delete. */
  readonly hasDeleteLimit: boolean
  /** The time by the database's own clock, in milliseconds since 1970. */
  readonly clock: RawBuilder<number>
  /** The marks around a name. */
  readonly quote: '"' | '`'
  readonly types: Readonly<Record<ColumnKind, string>>
  /** What follows the type of `users.id` when the table is made. */
  readonly userIdDefault: string
  /** Whether `create index` can be told to pass over an index that exists. */
  readonly hasIndexIfNotExists: boolean
  /** Said after the closing parenthesis of a table. */
  readonly tableOptions: string
  /** One row per column of the tables named, under the names that they were asked for with. */
  columns(tables: readonly TablePath[]): RawBuilder<ColumnRow>
  /**
   * One row per column of an index, in their order. Only of indexes that hold every row and whole
   * columns, and that are fit for use.
   */
  indexes(tables: readonly TablePath[]): RawBuilder<IndexRow>
  /** Whether the column has that value to the byte, whatever its collation takes for equal. */
  isExactly(column: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<unknown>
  /** A value as the driver takes it for a column of that type. */
  encode(value: unknown, columnType: string | undefined): unknown
  readonly revocations: RevocationSql
  readonly limits: LimitSql
  /** Whether the error says that there is no such table. */
  isMissingTable(error: unknown): boolean
  /** Whether the error says that a row like it exists. */
  isDuplicate(error: unknown): boolean
  /** Whether the error says that others were in the way, and that the same may succeed now. */
  isInTheWay(error: unknown): boolean
  /** Does something on one connection, with the tables ours alone: nobody else migrates meanwhile. */
  whileLocked<T>(db: Kysely<unknown>, act: (db: Kysely<unknown>) => Promise<T>): Promise<T>
  /** All of it or nothing. */
  inTransaction<T>(db: Kysely<unknown>, act: (db: Kysely<unknown>) => Promise<T>): Promise<T>
}

/** A table's name, and its schema if one was given. */
export interface TablePath {
  readonly schema: string | null
  readonly name: string
}

export interface ColumnRow {
  table_name: string
  column_name: string
  column_type: string
  has_default: boolean | number | bigint
  /** What has a text compared as the others of this column, where types do not say it. */
  column_collation: string | null
}

export interface IndexRow {
  table_name: string
  index_name: string
  is_unique: boolean | number | bigint
  column_name: string
}

/** `auth.users` is the table `users` in the schema `auth`. */
export function tablePath(name: string): TablePath {
  const [schema, table] = name.split('.')
  if (schema === undefined || table === undefined) return { schema: null, name }
  return { schema, name: table }
}

/** The code that a driver gives an error, if it gives one. */
export function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  if ('errno' in error && typeof error.errno === 'number') return error.errno
  return 'code' in error ? error.code : undefined
}
