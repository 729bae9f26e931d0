import type { Dialect, Kysely, MysqlPool } from 'kysely'
import { MYSQL } from './lib/sql/mysql/mysql-dialect.ts'
import { checkBackslashes, openMysqlUrl, useMysqlPool } from './lib/sql/mysql/open-mysql.ts'
import { useDialect, useKysely } from './lib/sql/open-database.ts'
import type { SqlAdapterOptions } from './lib/sql/open-tables.ts'
import { createSqlAdapter, type SqlAdapter } from './lib/sql/sql-adapter.ts'
import { DEFAULT_TIMEOUT } from './lib/with-timeout.ts'

export type { CompleteAdapter, CreatedSignUp, NewSignUp } from './lib/complete-adapter.ts'
export type { SqlAdapterOptions } from './lib/sql/open-tables.ts'
export type { MigrationStep } from './lib/sql/schema/migration-steps.ts'
export type { Migrations } from './lib/sql/schema/migrations.ts'
export type { TableNames } from './lib/sql/schema/tables.ts'
export type { SqlAdapter } from './lib/sql/sql-adapter.ts'

/** The database of a `MysqlAdapter`, in one of four ways. */
export type MysqlSource<Tables = unknown> =
  /** A connection string. Needs the `mysql2` package. */
  | { url: string }
  /** A `mysql2` pool (not `mysql2/promise`). Its connections are set to UTC. */
  | { pool: MysqlPool }
  /** Any Kysely dialect for MySQL. */
  | { dialect: Dialect }
  /** Your existing Kysely instance. */
  | { kysely: Kysely<Tables> }

/**
 * Stores everything in MySQL or MariaDB. `adapter.migrations` creates missing tables.
 *
 * ```ts
 * import { MysqlAdapter } from '@siteauth/adapters/mysql'
 *
 * export const adapter = MysqlAdapter({ url: 'mysql://root@localhost/app' })
 * await adapter.migrations.apply()
 * ```
 */
export function MysqlAdapter<Tables = unknown>(
  options: MysqlSource<Tables> & SqlAdapterOptions,
): SqlAdapter {
  return createSqlAdapter(
    open(options, options.timeoutMilliseconds ?? DEFAULT_TIMEOUT),
    MYSQL,
    options,
  )
}

function open<Tables>(source: MysqlSource<Tables>, timeout: number) {
  if ('kysely' in source) return checkBackslashes(useKysely(source.kysely, timeout))
  if ('dialect' in source) return checkBackslashes(useDialect(source.dialect, timeout))
  return 'pool' in source ? useMysqlPool(source.pool, timeout) : openMysqlUrl(source.url, timeout)
}
