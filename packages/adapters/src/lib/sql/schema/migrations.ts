import { type Kysely, sql } from 'kysely'
import { retryOnConflict } from '../../retry-on-conflict.ts'
import type { SqlDialect } from '../dialect.ts'
import { tablePath } from '../dialect.ts'
import {
  type FoundIndex,
  type FoundTable,
  type FoundTables,
  inspectIndexes,
  inspectTables,
} from './inspect.ts'
import { TABLES, type TableNames } from './tables.ts'

/** A statement the database still needs. */
export interface MigrationStep {
  /** Such as `create table users`. */
  readonly description: string
  readonly sql: string
}

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

type TableKey = keyof TableNames

export function createMigrations(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Migrations {
  const keys = Object.keys(TABLES) as TableKey[]

  async function plan(on: Kysely<unknown> = db) {
    const found = await inspectTables(on, dialect, names)
    const userIds = found.users ? await readUserIds(on, found.users) : null
    const steps: MigrationStep[] = []
    for (const key of keys) {
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
    sql() {
      const steps = keys.flatMap(key => createSteps(dialect, names, key, null))
      return `${steps.map(step => `${step.sql};`).join('\n\n')}\n`
    },
  }
}

/** The ids of a `users` table that exists already, for columns that point to it. */
interface UserIds {
  /** With their character set and collation: columns with others could not be compared. */
  readonly type: string
  /** Whether the adapter could have created the table, so that a foreign key to it fits. */
  readonly isOurs: boolean
}

function createSteps(
  dialect: SqlDialect,
  names: TableNames,
  key: TableKey,
  userIds: UserIds | null,
): MigrationStep[] {
  const table = TABLES[key]
  const quoted = (name: string) => quote(dialect, name)
  const lines = Object.entries(table.columns).map(([column, { kind, null: nullable }]) => {
    const type = kind === 'userId' ? (userIds?.type ?? dialect.types.userId) : dialect.types[kind]
    const fallback = key === 'users' && column === 'id' ? dialect.userIdDefault : ''
    return `${quoted(column)} ${type}${nullable ? '' : ' not null'}${fallback}`
  })
  lines.push(`primary key (${table.primaryKey.map(quoted).join(', ')})`)
  for (const columns of table.unique) lines.push(`unique (${columns.map(quoted).join(', ')})`)
  // Only to a table that the adapter created: types and collations of others might not fit.
  if (table.columns['userId']?.kind === 'userId' && (userIds?.isOurs ?? true)) {
    const users = quotePath(dialect, names.users)
    lines.push(
      `foreign key (${quoted('userId')}) references ${users} (${quoted('id')}) on delete cascade`,
    )
  }
  const name = quotePath(dialect, names[key])
  const body = lines.map(line => `  ${line}`).join(',\n')
  return [
    {
      description: `create table ${names[key]}`,
      sql: `create table if not exists ${name} (\n${body}\n)${dialect.tableOptions}`,
    },
    ...table.indexes.map(columns => indexStep(dialect, names[key], columns, false)),
  ]
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

function indexStep(
  dialect: SqlDialect,
  tableName: string,
  columns: readonly string[],
  unique: boolean,
): MigrationStep {
  const kind = unique ? 'unique index' : 'index'
  const { name } = tablePath(tableName)
  const index = quote(dialect, [name, ...columns, unique ? 'key' : 'idx'].join('_'))
  const exists = dialect.hasIndexIfNotExists ? ' if not exists' : ''
  const list = columns.map(column => quote(dialect, column)).join(', ')
  return {
    description: `create ${kind} on ${tableName} (${columns.join(', ')})`,
    sql: `create ${kind}${exists} ${index} on ${quotePath(dialect, tableName)} (${list})`,
  }
}

function quotePath(dialect: SqlDialect, name: string): string {
  const path = tablePath(name)
  const names = path.schema === null ? [path.name] : [path.schema, path.name]
  return names.map(part => quote(dialect, part)).join('.')
}

function quote({ quote: delimiter }: SqlDialect, name: string): string {
  return `${delimiter}${name.replaceAll(delimiter, delimiter + delimiter)}${delimiter}`
}

function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
