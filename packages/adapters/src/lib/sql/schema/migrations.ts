import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { createSteps, type MigrationStep } from './migration-steps.ts'
import { TABLES, type TableNames } from './tables.ts'

/**
 * Brings a database up to date with what the adapter needs. It only adds: nothing is changed or
 * dropped.
 */
export interface Migrations {
  /** What `apply` would do now. Empty when there is nothing to do. */
  plan(): Promise<readonly MigrationStep[]>
  /** Does it, and returns what was done. Safe to run in several processes at once. */
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
      const steps = keys.flatMap(key => createSteps(dialect, names, key, null))
      return `${steps.map(step => `${step.sql};`).join('\n\n')}\n`
    },
  }
}
