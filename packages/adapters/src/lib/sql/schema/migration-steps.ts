import type { SqlDialect } from '../dialect.ts'
import { tablePath } from '../dialect.ts'
import type { OnlineWords } from './migration-rules.ts'
import { TABLES, type TableNames } from './tables.ts'

/** A statement the database still needs. */
export interface MigrationStep {
  /** Such as `create table users`. */
  readonly description: string
  readonly sql: string
  /** What the statement blocks and for how long, such as `blocks accounts for a moment`. */
  readonly locks: string
  /** Whether the application can use the tables meanwhile, with interruptions of a moment at most. */
  readonly isOnline: boolean
}

/** What a step of a migration does, and the statement that does it. */
export type MigrationStatement = Pick<MigrationStep, 'description' | 'sql'>

/** The ids of a `users` table that exists already, for columns that point to it. */
export interface UserIds {
  /** With their character set and collation: columns with others could not be compared. */
  readonly type: string
  /** Whether the adapter could have created the table, so that a foreign key to it fits. */
  readonly isOurs: boolean
}

export function createStatements(
  dialect: SqlDialect,
  names: TableNames,
  key: keyof TableNames,
  userIds: UserIds | null,
): MigrationStatement[] {
  const { indexes } = TABLES[key]
  return [
    createTable(dialect, names, key, userIds),
    ...indexes.map(columns => createIndex(dialect, { table: names[key], columns })),
  ]
}

export function createTable(
  dialect: SqlDialect,
  names: TableNames,
  key: keyof TableNames,
  userIds: UserIds | null,
): MigrationStatement {
  const table = TABLES[key]
  const quoted = (name: string) => quote(dialect, name)
  const lines = Object.entries(table.columns).map(([column, { kind, null: nullable }]) => {
    const type = kind === 'userId' ? (userIds?.type ?? dialect.types.userId) : dialect.types[kind]
    const fallback = key === 'users' && column === 'id' ? dialect.userIdDefault : ''
    return `${quoted(column)} ${type}${nullable ? '' : ' not null'}${fallback}`
  })
  lines.push(`primary key (${table.primaryKey.map(quoted).join(', ')})`)
  for (const columns of table.unique) lines.push(`unique (${columns.map(quoted).join(', ')})`)
  if (hasForeignKey(key, userIds)) {
    const users = quotePath(dialect, names.users)
    lines.push(
      `foreign key (${quoted('userId')}) references ${users} (${quoted('id')}) on delete cascade`,
    )
  }
  const name = quotePath(dialect, names[key])
  const body = lines.map(line => `  ${line}`).join(',\n')
  return {
    description: `create table ${names[key]}`,
    sql: `create table if not exists ${name} (\n${body}\n)${dialect.tableOptions}`,
  }
}

/** Only to a table that the adapter created: types and collations of others might not fit. */
export function hasForeignKey(key: keyof TableNames, userIds: UserIds | null): boolean {
  return TABLES[key].columns['userId']?.kind === 'userId' && (userIds?.isOurs ?? true)
}

/** An index of ours. */
export interface IndexToMake {
  readonly table: string
  readonly columns: readonly string[]
  readonly unique?: boolean
}

const OFFLINE: OnlineWords = { keyword: '', options: '' }

export function createIndex(
  dialect: SqlDialect,
  index: IndexToMake,
  { keyword, options }: OnlineWords = OFFLINE,
): MigrationStatement {
  const { table, columns, unique } = index
  const kind = unique ? 'unique index' : 'index'
  const name = quote(dialect, indexName(index))
  const exists = dialect.hasIndexIfNotExists ? ' if not exists' : ''
  const list = columns.map(column => quote(dialect, column)).join(', ')
  return {
    description: `create ${kind} on ${table} (${columns.join(', ')})`,
    sql: `create ${kind}${keyword}${exists} ${name} on ${quotePath(dialect, table)} (${list})${options}`,
  }
}

/** The names of PostgreSQL are the shortest, at 63 bytes. A longer one would be cut without a word. */
const MAX_NAME = 63

export function indexName({ table, columns, unique }: IndexToMake): string {
  const ending = `_${[...columns, unique ? 'key' : 'idx'].join('_')}`
  return `${tablePath(table).name.slice(0, MAX_NAME - ending.length)}${ending}`
}

export function quotePath(dialect: SqlDialect, name: string): string {
  const path = tablePath(name)
  const names = path.schema === null ? [path.name] : [path.schema, path.name]
  return names.map(part => quote(dialect, part)).join('.')
}

export function quote({ quote: delimiter }: SqlDialect, name: string): string {
  return `${delimiter}${name.replaceAll(delimiter, delimiter + delimiter)}${delimiter}`
}
