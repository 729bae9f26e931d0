import type { SqlDialect } from '../dialect.ts'
import type { FoundIndex, FoundTable } from './inspect.ts'
import type { MigrationRules, StepToTake } from './migration-rules.ts'
import {
  createIndex,
  createTable,
  hasForeignKey,
  type IndexToMake,
  indexName,
  type MigrationStep,
  quote,
  quotePath,
  type UserIds,
} from './migration-steps.ts'
import { TABLES, type TableNames } from './tables.ts'

export interface PlannedStep extends MigrationStep, StepToTake {
  readonly isOfNewTable: boolean
  /** Whether it drops an index whose build did not end. */
  readonly isCleanup?: boolean
}

/** What the steps of all tables depend on. */
export interface PlanContext {
  readonly dialect: SqlDialect
  readonly rules: MigrationRules
  readonly names: TableNames
  /** Null if the table of users is yet to be created. */
  readonly userIds: UserIds | null
}

export function stepsOfNewTable(context: PlanContext, key: keyof TableNames): PlannedStep[] {
  const { dialect, rules, names, userIds } = context
  const table = names[key]
  const users = userIds && hasForeignKey(key, userIds) ? names.users : null
  const step = { table, isOnline: true, isOfUsedIndex: false, isOfNewTable: true }
  return [
    {
      ...createTable(dialect, names, key, userIds),
      ...step,
      locks: rules.locks.createTable(users),
    },
    ...TABLES[key].indexes.map(columns => ({
      ...createIndex(dialect, { table, columns }),
      ...step,
      locks: rules.locks.createFirstIndex,
    })),
  ]
}

export function stepsOfTable(
  context: PlanContext,
  key: keyof TableNames,
  found: FoundTable,
  indexes: readonly FoundIndex[],
): PlannedStep[] {
  const { primaryKey, unique, indexes: plain, replacedIndexes } = TABLES[key]
  const table = context.names[key]
  const usable = indexes.filter(({ isUnfinished }) => !isUnfinished)
  const missingKeys = [primaryKey, ...unique].filter(
    columns =>
      !usable.some(
        index => index.unique && index.columns.every(column => columns.includes(column)),
      ),
  )
  const missing = plain.filter(
    columns => !usable.some(index => columns.every((column, at) => index.columns[at] === column)),
  )
  return [
    ...columnSteps(context, key, found),
    ...missingKeys.flatMap(columns =>
      indexSteps(context, indexes, { table, columns, unique: true }),
    ),
    ...missing.flatMap(columns => indexSteps(context, indexes, { table, columns })),
    ...replacedSteps(context, indexes, { table, columns: replacedIndexes ?? [] }),
  ]
}

function columnSteps(
  { dialect, rules, names, userIds }: PlanContext,
  key: keyof TableNames,
  found: FoundTable,
): PlannedStep[] {
  const table = names[key]
  const missing = Object.entries(TABLES[key].columns).filter(([name]) => !found.columns.has(name))
  return missing.map(([column, { kind }]) => {
    const type = kind === 'userId' ? (userIds?.type ?? dialect.types.userId) : dialect.types[kind]
    return {
      description: `add column ${column} to ${table}`,
      sql: `alter table ${quotePath(dialect, table)} add column ${quote(dialect, column)} ${type}`,
      locks: rules.locks.addColumn(table),
      isOnline: true,
      table,
      isOfUsedIndex: false,
      isOfNewTable: false,
    }
  })
}

/** Creates an index of a table that is in use; first drops what an interrupted build of the same has left. */
function indexSteps(
  { dialect, rules }: PlanContext,
  indexes: readonly FoundIndex[],
  index: IndexToMake,
): PlannedStep[] {
  const { table } = index
  const name = indexName(index)
  const unfinished = indexes.filter(found => found.isUnfinished && found.name === name)
  return [
    ...unfinished.map(found => ({
      ...dropStep({ dialect, rules }, table, found, `drop unfinished index ${name} of ${table}`),
      isCleanup: true,
    })),
    {
      ...createIndex(dialect, index, rules.online),
      locks: rules.locks.createIndex(table),
      isOnline: rules.buildsOnline,
      table,
      isOfUsedIndex: true,
      isOfNewTable: false,
    },
  ]
}

/** Drops indexes that the adapter has created in an earlier version. Those of others stay. */
function replacedSteps(
  context: PlanContext,
  indexes: readonly FoundIndex[],
  { table, columns: replaced }: { table: string; columns: readonly (readonly string[])[] },
): PlannedStep[] {
  return replaced.flatMap(columns => {
    const name = indexName({ table, columns })
    const own = indexes.filter(
      index => index.name === name && !index.unique && index.columns.join() === columns.join(),
    )
    const description = `drop index on ${table} (${columns.join(', ')})`
    return own.map(index => dropStep(context, table, index, description))
  })
}

function dropStep(
  { dialect, rules }: Pick<PlanContext, 'dialect' | 'rules'>,
  table: string,
  { name, path }: FoundIndex,
  description: string,
): PlannedStep {
  return {
    description,
    sql: rules.dropIndex(path ?? quote(dialect, name), quotePath(dialect, table)),
    locks: rules.locks.dropIndex(table),
    isOnline: true,
    table,
    isOfUsedIndex: true,
    isOfNewTable: false,
  }
}
