import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { createStatements, type MigrationStep } from './migration-steps.ts'
import { TABLES, type TableNames } from './tables.ts'

/**
 * Brings a database up to date with what the adapter needs. It only adds, but for indexes of its own that a new one
 * replaces: no table, column or row is changed or dropped.
 */
export interface Migrations {
  /** What `apply` would do now, and what each step blocks. Empty when there is nothing to do. */
  plan(): Promise<readonly MigrationStep[]>
  /**
   * Does it, one transaction for each step, and returns what was done. Safe to run in several processes at once, while the
   * application uses the tables, and again if it was interrupted.
   *
   * ```ts
   * import { PostgresAdapter } from '@siteauth/adapters/postgres'
   *
   * const { migrations } = PostgresAdapter({ url: 'postgres://localhost/app' })
   * for (const { description, locks } of await migrations.plan()) console.log(description, locks)
   * await migrations.apply()
   * ```
   */
  apply(): Promise<readonly MigrationStep[]>
  /** Everything, for an empty database, as text for your own migration tool. */
  sql(): string
}

export function createMigrations(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Migrations {
  // With the first use: an application may have migrated its database when it was deployed.
  async function open() {
    const { createMigrator } = await import('./migrator.ts')
    return createMigrator(db, dialect, names)
  }

  return {
    plan: async () => (await open()).plan(),
    apply: async () => (await open()).apply(),
    sql() {
      const keys = Object.keys(TABLES) as (keyof TableNames)[]
      const steps = keys.flatMap(key => createStatements(dialect, names, key, null))
      return `${steps.map(step => `${step.sql};`).join('\n\n')}\n`
    },
  }
}
