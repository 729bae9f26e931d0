import { type Dialect, type Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import { MYSQL } from './lib/sql/mysql-flavour.ts'
import { useDialect, useKysely } from './lib/sql/open-database.ts'
import { createSqlAdapter, type SqlAdapter, type SqlAdapterOptions } from './lib/sql/sql-adapter.ts'

export type { CompleteAdapter, SignedUp, SignUp } from './lib/complete-adapter.ts'
export type { MigrationStep, Migrations } from './lib/sql/migrations.ts'
export type { SqlAdapter, SqlAdapterOptions } from './lib/sql/sql-adapter.ts'
export type { TableNames } from './lib/sql/tables.ts'

/** The database of a `MysqlAdapter`, in one of four ways. */
export type MysqlSource<Tables = unknown> =
  /** A connection string. The package `mysql2` has to be installed. */
  | { url: string }
  /** A pool of `mysql2` (not of `mysql2/promise`). Make it with `timezone: 'Z'`. */
  | { pool: MysqlPool }
  /** Any dialect of Kysely for MySQL. */
  | { dialect: Dialect }
  /** The Kysely that the application has already. */
  | { kysely: Kysely<Tables> }

/**
 * Stores everything in MySQL or MariaDB. `adapter.migrations` makes the tables that are missing.
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
  return createSqlAdapter(open(options), MYSQL, options)
}

function open<Tables>(source: MysqlSource<Tables>) {
  if ('kysely' in source) return useKysely(source.kysely)
  if ('dialect' in source) return useDialect(source.dialect, { isOurs: true })
  if ('pool' in source) {
    return useDialect(new MysqlDialect({ pool: source.pool }), { isOurs: false })
  }
  const pool = async () => {
    const { createPool } = await import('mysql2')
    // In UTC: a clock that is put back would make some hours of the year ambiguous.
    return createPool({ uri: source.url, timezone: 'Z' })
  }
  return useDialect(new MysqlDialect({ pool }), { isOurs: true })
}
