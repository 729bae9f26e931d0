import { type Dialect, type Kysely, SqliteDialect } from 'kysely'
import { useDialect, useKysely } from './lib/sql/open-database.ts'
import type { SqlAdapterOptions } from './lib/sql/open-tables.ts'
import { createSqlAdapter, type SqlAdapter } from './lib/sql/sql-adapter.ts'
import { openSqlite, untilUnlocked } from './lib/sql/sqlite/open-sqlite.ts'
import { SQLITE } from './lib/sql/sqlite/sqlite-dialect.ts'
import { DEFAULT_TIMEOUT } from './lib/with-timeout.ts'

export type { CompleteAdapter, CreatedSignUp, NewSignUp } from './lib/complete-adapter.ts'
export type { SqlAdapterOptions } from './lib/sql/open-tables.ts'
export type { MigrationStep } from './lib/sql/schema/migration-steps.ts'
export type { Migrations } from './lib/sql/schema/migrations.ts'
export type { TableNames } from './lib/sql/schema/tables.ts'
export type { SqlAdapter } from './lib/sql/sql-adapter.ts'

/** The database of a `SqliteAdapter`, in one of three ways. */
export type SqliteSource<Tables = unknown> =
  /** A file, created if missing, or `:memory:`. On Node 20, install the `libsql` package. */
  | { file: string }
  /** Any Kysely dialect for SQLite. */
  | { dialect: Dialect }
  /** Your existing Kysely instance. */
  | { kysely: Kysely<Tables> }

/**
 * Stores everything in one file, with no setup: missing tables are created on first use.
 *
 * ```ts
 * import { SqliteAdapter } from '@siteauth/adapters/sqlite'
 *
 * export const adapter = SqliteAdapter({ file: 'auth.db' })
 * ```
 */
export function SqliteAdapter<Tables = unknown>(
  options: SqliteSource<Tables> & SqlAdapterOptions,
): SqlAdapter {
  return createSqlAdapter(open(options, options.timeoutMilliseconds ?? DEFAULT_TIMEOUT), SQLITE, {
    ...options,
    migrateFirst: true,
  })
}

function open<Tables>(source: SqliteSource<Tables>, timeout: number) {
  return untilUnlocked(openAny(source, timeout), timeout)
}

function openAny<Tables>(source: SqliteSource<Tables>, timeout: number) {
  if ('kysely' in source) return useKysely(source.kysely, timeout)
  if ('dialect' in source) return useDialect(source.dialect, timeout)
  const database = () => openSqlite(source.file, timeout)
  return useDialect(new SqliteDialect({ database }), null)
}
