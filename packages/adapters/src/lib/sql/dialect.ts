import type { Kysely, RawBuilder } from 'kysely'
import type { ColumnRules } from './schema/column-limits.ts'
import type { MigrationRules } from './schema/migration-rules.ts'
import type { ColumnKind } from './schema/tables.ts'
import type { LimitSql } from './statements/limit-sql.ts'
import type { RevocationSql } from './statements/revocation-sql.ts'

/** How one kind of database differs from the others. Kysely's dialects are something else: they send statements. */
export interface SqlDialect extends ColumnRules {
  /** Whether a statement that changes or deletes rows can return them. */
  readonly hasReturning: boolean
  /** Makes an insertion return the inserted rows where the server can, else has no effect. */
  readonly returningInserted: string
  /** Makes a deletion return the deleted rows where the server can, else has no effect. */
  readonly returningDeleted: string
  /** Whether deletions on this server return the deleted rows. */
  returnsDeleted(db: Kysely<unknown>): Promise<boolean>
  /** Makes a reading statement lock its rows until the transaction ends. Empty if a transaction is alone. */
  readonly lockRows: '' | 'for update'
  /** The same, but passes over rows that others have locked. Empty if the database cannot. */
  readonly lockFreeRows: '' | 'for update skip locked'
  /** Whether one statement can insert into several tables. */
  readonly hasWritingCte: boolean
  /** Whether a deletion can limit its number of rows. */
  readonly hasDeleteLimit: boolean
  /** The time by the database's own clock, in milliseconds since 1970. */
  readonly clock: RawBuilder<number>
  /** The quotation mark around a name. */
  readonly quote: '"' | '`'
  readonly types: Readonly<Record<ColumnKind, string>>
  /** Follows the type of `users.id` in `create table`. */
  readonly userIdDefault: string
  /** Whether `create index` accepts `if not exists`. */
  readonly hasIndexIfNotExists: boolean
  /** Follows the closing parenthesis of `create table`. */
  readonly tableOptions: string
  /** One row per column of these tables, under the names given here. */
  columns(tables: readonly TablePath[]): RawBuilder<ColumnRow>
  /**
   * One row per column of an index, in their order. Only indexes that contain every row and whole columns.
   */
  indexes(tables: readonly TablePath[]): RawBuilder<IndexRow>
  /** Compares a column with a value byte by byte, whatever its collation considers equal. */
  isExactly(column: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<unknown>
  /** A column as a text or number that a statement can compare it with again, whatever its driver makes of dates. */
  asText(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** Converts a value to what the driver accepts for a column of that type. */
  encode(value: unknown, columnType: string | undefined): unknown
  readonly revocations: RevocationSql
  readonly limits: LimitSql
  /** Whether the error means that the table is missing. */
  isMissingTable(error: unknown): boolean
  /** Whether the error means that a row with this key exists. */
  isDuplicate(error: unknown): boolean
  /** Whether the error means that a concurrent statement interfered, so that a retry may succeed. */
  isConflict(error: unknown): boolean
  /** How it changes tables, loaded when they are changed. */
  loadMigrationRules(): Promise<MigrationRules>
  /** Runs a transaction. */
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
  /** The character set and collation of a text, where types do not include them. */
  column_collation: string | null
}

export interface IndexRow {
  table_name: string
  index_name: string
  is_unique: boolean | number | bigint
  column_name: string
  /** Quoted and with its schema, where indexes have one of their own. */
  index_path?: string
  /** Where a build can be interrupted and leave an index behind. */
  is_unfinished?: boolean
}

/** `auth.users` is the table `users` in the schema `auth`. */
export function tablePath(name: string): TablePath {
  const [schema, table] = name.split('.')
  if (schema === undefined || table === undefined) return { schema: null, name }
  return { schema, name: table }
}

/** The code of a driver's error, if it has one. */
export function errorCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  if ('errno' in error && typeof error.errno === 'number') return error.errno
  return 'code' in error ? error.code : undefined
}
