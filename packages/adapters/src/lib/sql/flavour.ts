import type { RawBuilder } from 'kysely'
import type { ColumnKind } from './tables.ts'

/** How one kind of database differs from the others. */
export interface Flavour {
  /** Whether rows that are changed or deleted can be answered by the same statement. */
  readonly hasReturning: boolean
  /** What has an insertion answer the rows that it inserted, or has no effect. */
  readonly returningInserted: string
  /** What has a deletion answer the rows that it deleted, or has no effect. */
  readonly returningDeleted: string
  /** Whether one statement can insert into several tables. */
  readonly hasWritingCte: boolean
  /** The marks around a name. */
  readonly quote: '"' | '`'
  readonly types: Readonly<Record<ColumnKind, string>>
  /** What follows the type of `users.id` when the table is made. */
  readonly userIdDefault: string
  /** Whether `create index` can be told to pass over an index that exists. */
  readonly hasIndexIfNotExists: boolean
  /** Said after the closing parenthesis of a table. */
  readonly tableOptions: string
  /** One row per column of the tables named: `table`, `column`, `type`, `default`, `extra`. */
  columns(tables: readonly TablePath[]): RawBuilder<ColumnRow>
  /** One row per column of an index: `table`, `index`, `unique`, `column`, in their order. */
  indexes(tables: readonly TablePath[]): RawBuilder<IndexRow>
  /** A value as the driver takes it for a column of that type. */
  encode(value: unknown, columnType: string | undefined): unknown
  /** Whether the error says that a row like it exists. */
  isDuplicate(error: unknown): boolean
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
