import type { SqlDialect } from '../dialect.ts'
import { tablePath } from '../dialect.ts'
import { TABLES, type TableNames } from './tables.ts'

/** A statement the database still needs. */
export interface MigrationStep {
  /** Such as `create table users`. */
  readonly description: string
  readonly sql: string
}

/** The ids of a `users` table that exists already, for columns that point to it. */
export interface UserIds {
  /** With their character set and collation: columns with others could not be compared. */
  readonly type: string
  /** Whether the adapter could have created the table, so that a foreign key to it fits. */
  readonly isOurs: boolean
}

export function createSteps(
  dialect: SqlDialect,
  names: TableNames,
  key: keyof TableNames,
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

export function indexStep(
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

export function quotePath(dialect: SqlDialect, name: string): string {
  const path = tablePath(name)
  const names = path.schema === null ? [path.name] : [path.schema, path.name]
  return names.map(part => quote(dialect, part)).join('.')
}

export function quote({ quote: delimiter }: SqlDialect, name: string): string {
  return `${delimiter}${name.replaceAll(delimiter, delimiter + delimiter)}${delimiter}`
}
