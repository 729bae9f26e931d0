import { type Kysely, sql } from 'kysely'
import { retryOnConflict } from '../../retry-on-conflict.ts'
import type { SqlDialect } from '../dialect.ts'
import {
  type FoundIndex,
  type FoundTable,
  type FoundTables,
  inspectIndexes,
  inspectTables,
} from './inspect.ts'
import {
  createSteps,
  indexStep,
  type MigrationStep,
  quote,
  quotePath,
  type UserIds,
} from './migration-steps.ts'
import { TABLES, type TableNames } from './tables.ts'

type TableKey = keyof TableNames

/** Compares a database with what the adapter needs, and adds what is missing. */
interface Migrator {
  plan(): Promise<readonly MigrationStep[]>
  apply(): Promise<readonly MigrationStep[]>
}

export function createMigrator(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Migrator {
  async function plan(on: Kysely<unknown> = db) {
    const found = await inspectTables(on, dialect, names)
    const userIds = found.users ? await readUserIds(on, found.users) : null
    const steps: MigrationStep[] = []
    for (const key of Object.keys(TABLES) as TableKey[]) {
      if (!found[key]) {
        steps.push(...createSteps(dialect, names, key, userIds))
        continue
      }
      const indexes = await inspectIndexes(on, dialect, names[key])
      steps.push(...addSteps(dialect, names, key, found, userIds, indexes))
    }
    return steps
  }

  async function readUserIds(on: Kysely<unknown>, users: FoundTable): Promise<UserIds> {
    const id = users.columns.get('id')
    const type = id ? [id.type, id.collation].filter(Boolean).join(' ') : dialect.types.userId
    const indexes = await inspectIndexes(on, dialect, names.users)
    const isUnique = indexes.some(({ unique, columns }) => unique && columns.join() === 'id')
    // Treated as if this run had created it, so that an interrupted run ends like any other.
    return { type, isOurs: isUnique && type === dialect.types.userId }
  }

  async function applyOn(on: Kysely<unknown>) {
    const steps = await plan(on)
    for (const step of steps) {
      try {
        await sql.raw(step.sql).execute(on)
      } catch (cause) {
        throw new Error(`could not ${step.description}: ${toMessage(cause)}`, { cause })
      }
    }
    return steps
  }

  return {
    plan: () => plan(),
    async apply() {
      // Usually there is nothing to do, which needs no lock and no permission to write.
      if ((await plan()).length === 0) return []
      return retryOnConflict(dialect.isConflict, () => dialect.whileLocked(db, applyOn))
    },
  }
}

function addSteps(
  dialect: SqlDialect,
  names: TableNames,
  key: TableKey,
  found: FoundTables,
  userIds: UserIds | null,
  indexes: readonly FoundIndex[],
): MigrationStep[] {
  const table = TABLES[key]
  const steps: MigrationStep[] = []
  for (const [column, { kind }] of Object.entries(table.columns)) {
    if (found[key]?.columns.has(column)) continue
    const type = kind === 'userId' ? (userIds?.type ?? dialect.types.userId) : dialect.types[kind]
    steps.push({
      description: `add column ${column} to ${names[key]}`,
      sql: `alter table ${quotePath(dialect, names[key])} add column ${quote(dialect, column)} ${type}`,
    })
  }
  for (const columns of [table.primaryKey, ...table.unique]) {
    const exists = indexes.some(
      index => index.unique && index.columns.every(column => columns.includes(column)),
    )
    if (!exists) steps.push(indexStep(dialect, names[key], columns, true))
  }
  for (const columns of table.indexes) {
    const exists = indexes.some(index =>
      columns.every((column, at) => index.columns[at] === column),
    )
    if (!exists) steps.push(indexStep(dialect, names[key], columns, false))
  }
  return steps
}

function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
