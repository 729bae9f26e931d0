import { type Kysely, sql } from 'kysely'
import type { Flavour } from './flavour.ts'
import { tablePath } from './flavour.ts'
import { type FoundIndex, type FoundTables, inspectIndexes, inspectTables } from './inspect.ts'
import { TABLES, type TableNames } from './tables.ts'

/** One statement that a database still needs. */
export interface MigrationStep {
  /** Such as `create table users`. */
  readonly description: string
  readonly sql: string
}

/** Brings a database to what the adapter needs. It only ever adds: nothing is changed or dropped. */
export interface Migrations {
  /** What `apply` would do now. Empty when there is nothing to do. */
  plan(): Promise<readonly MigrationStep[]>
  /** Does it, and answers what was done. Safe to run by several processes at once. */
  apply(): Promise<readonly MigrationStep[]>
  /** Everything, for an empty database, as text for a migration tool of your own. */
  sql(): string
}

type TableKey = keyof TableNames

export function createMigrations(
  db: Kysely<unknown>,
  flavour: Flavour,
  names: TableNames,
): Migrations {
  const keys = Object.keys(TABLES) as TableKey[]

  async function plan() {
    const found = await inspectTables(db, flavour, names)
    const steps: MigrationStep[] = []
    for (const key of keys) {
      if (!found[key]) {
        steps.push(...createSteps(flavour, names, key, userIdOf(found, flavour)))
        continue
      }
      const indexes = await inspectIndexes(db, flavour, names[key])
      steps.push(...addSteps(flavour, names, key, found, indexes))
    }
    return steps
  }

  return {
    plan,
    async apply() {
      const steps = await plan()
      for (const step of steps) {
        try {
          await sql.raw(step.sql).execute(db)
        } catch (cause) {
          // Another process may have done the same in the meantime: then there is nothing to do.
          const left = await plan()
          if (!left.some(({ sql }) => sql === step.sql)) continue
          throw new Error(`could not ${step.description}: ${messageOf(cause)}`, { cause })
        }
      }
      return steps
    },
    sql() {
      const steps = keys.flatMap(key => createSteps(flavour, names, key, null))
      return `${steps.map(step => `${step.sql};`).join('\n\n')}\n`
    },
  }
}

/** The type of ids in a `users` table that exists already, for columns that point to it. */
function userIdOf(found: FoundTables, flavour: Flavour): string | null {
  if (!found.users) return null
  return found.users.columns.get('id')?.type ?? flavour.types.userId
}

function createSteps(
  flavour: Flavour,
  names: TableNames,
  key: TableKey,
  existingUserId: string | null,
): MigrationStep[] {
  const table = TABLES[key]
  const quoted = (name: string) => quote(flavour, name)
  const lines = Object.entries(table.columns).map(([column, { kind, null: nullable }]) => {
    const type = kind === 'userId' ? (existingUserId ?? flavour.types.userId) : flavour.types[kind]
    const fallback = key === 'users' && column === 'id' ? flavour.userIdDefault : ''
    return `${quoted(column)} ${type}${nullable ? '' : ' not null'}${fallback}`
  })
  lines.push(`primary key (${table.primaryKey.map(quoted).join(', ')})`)
  for (const columns of table.unique) lines.push(`unique (${columns.map(quoted).join(', ')})`)
  // Only to a table of our own making: to another's, types and collations might not fit.
  if (table.columns['userId'] && !existingUserId) {
    const users = quotePath(flavour, names.users)
    lines.push(
      `foreign key (${quoted('userId')}) references ${users} (${quoted('id')}) on delete cascade`,
    )
  }
  const name = quotePath(flavour, names[key])
  const body = lines.map(line => `  ${line}`).join(',\n')
  return [
    {
      description: `create table ${names[key]}`,
      sql: `create table if not exists ${name} (\n${body}\n)${flavour.tableOptions}`,
    },
    ...table.indexes.map(columns => indexStep(flavour, names[key], columns, false)),
  ]
}

function addSteps(
  flavour: Flavour,
  names: TableNames,
  key: TableKey,
  found: FoundTables,
  indexes: readonly FoundIndex[],
): MigrationStep[] {
  const table = TABLES[key]
  const steps: MigrationStep[] = []
  for (const [column, { kind }] of Object.entries(table.columns)) {
    if (found[key]?.columns.has(column)) continue
    const type = kind === 'userId' ? userIdOf(found, flavour) : flavour.types[kind]
    steps.push({
      description: `add column ${column} to ${names[key]}`,
      sql: `alter table ${quotePath(flavour, names[key])} add column ${quote(flavour, column)} ${type}`,
    })
  }
  for (const columns of [table.primaryKey, ...table.unique]) {
    const kept = indexes.some(
      index => index.unique && index.columns.every(column => columns.includes(column)),
    )
    if (!kept) steps.push(indexStep(flavour, names[key], columns, true))
  }
  for (const columns of table.indexes) {
    const kept = indexes.some(index => columns.every((column, at) => index.columns[at] === column))
    if (!kept) steps.push(indexStep(flavour, names[key], columns, false))
  }
  return steps
}

function indexStep(
  flavour: Flavour,
  tableName: string,
  columns: readonly string[],
  unique: boolean,
): MigrationStep {
  const kind = unique ? 'unique index' : 'index'
  const { name } = tablePath(tableName)
  const index = quote(flavour, [name, ...columns, unique ? 'key' : 'idx'].join('_'))
  const exists = flavour.hasIndexIfNotExists ? ' if not exists' : ''
  const list = columns.map(column => quote(flavour, column)).join(', ')
  return {
    description: `create ${kind} on ${tableName} (${columns.join(', ')})`,
    sql: `create ${kind}${exists} ${index} on ${quotePath(flavour, tableName)} (${list})`,
  }
}

function quotePath(flavour: Flavour, name: string): string {
  const path = tablePath(name)
  const parts = path.schema === null ? [path.name] : [path.schema, path.name]
  return parts.map(part => quote(flavour, part)).join('.')
}

function quote({ quote: mark }: Flavour, name: string): string {
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
