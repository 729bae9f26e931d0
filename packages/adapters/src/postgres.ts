import type { Dialect, Kysely, PostgresPool } from 'kysely'
import { useDialect, useKysely } from './lib/sql/open-database.ts'
import type { SqlAdapterOptions } from './lib/sql/open-tables.ts'
import { openPostgresUrl, usePostgresPool } from './lib/sql/postgres/open-postgres.ts'
import { POSTGRES } from './lib/sql/postgres/postgres-dialect.ts'
import { createSqlAdapter, type SqlAdapter } from './lib/sql/sql-adapter.ts'
import { DEFAULT_TIMEOUT } from './lib/with-timeout.ts'

export type { CompleteAdapter, CreatedSignUp, NewSignUp } from './lib/complete-adapter.ts'
export type { SqlAdapterOptions } from './lib/sql/open-tables.ts'
export type { MigrationStep } from './lib/sql/schema/migration-steps.ts'
export type { Migrations } from './lib/sql/schema/migrations.ts'
export type { TableNames } from './lib/sql/schema/tables.ts'
export type { SqlAdapter } from './lib/sql/sql-adapter.ts'

/** The database of a `PostgresAdapter`, in one of four ways. */
export type PostgresSource<Tables = unknown> =
  /** A connection string. Needs the `pg` package. */
  | ({ url: string } & PostgresPoolOptions)
  /** A `pg` pool, or anything that works like one. */
  | ({ pool: PostgresPool } & PostgresPoolOptions)
  /** Any Kysely dialect for PostgreSQL. */
  | { dialect: Dialect }
  /** Your existing Kysely instance. */
  | { kysely: Kysely<Tables> }

/**
 * How a `PostgresAdapter` uses a pool.
 *
 * ```ts
 * import { PostgresAdapter } from '@siteauth/adapters/postgres'
 *
 * // Behind a pooler that gives every transaction another connection.
 * export const adapter = PostgresAdapter({
 *   url: 'postgres://localhost:6432/app',
 *   preparedStatements: false,
 * })
 * ```
 */
export interface PostgresPoolOptions {
  /**
   * Whether the database prepares statements, which halves the time of a session check. Defaults to
   * true. If a pooler turns out to forget them, the adapter stops using them, with a warning: set
   * `false` to avoid that.
   */
  preparedStatements?: boolean
}

/**
 * Stores everything in PostgreSQL, in the tables of `@auth/pg-adapter` or under your own names.
 * `adapter.migrations` creates what is missing.
 *
 * ```ts
 * import { PostgresAdapter } from '@siteauth/adapters/postgres'
 *
 * export const adapter = PostgresAdapter({ url: 'postgres://localhost/app' })
 * await adapter.migrations.apply()
 * ```
 */
export function PostgresAdapter<Tables = unknown>(
  options: PostgresSource<Tables> & SqlAdapterOptions,
): SqlAdapter {
  return createSqlAdapter(
    open(options, options.timeoutMilliseconds ?? DEFAULT_TIMEOUT),
    POSTGRES,
    options,
  )
}

function open<Tables>(source: PostgresSource<Tables>, timeout: number) {
  if ('kysely' in source) return useKysely(source.kysely, timeout)
  if ('dialect' in source) return useDialect(source.dialect, timeout)
  const use = { isPreparing: source.preparedStatements ?? true, timeout }
  return 'pool' in source ? usePostgresPool(source.pool, use) : openPostgresUrl(source.url, use)
}
