import type { SqlDialect } from '../dialect.ts'
import { findMisfit, integerRange } from '../schema/column-limits.ts'
import type { TableShapes } from '../schema/table-shapes.ts'
import { TABLES, type TableNames } from '../schema/tables.ts'
import type { TypedColumns } from '../statements/sign-up-statement.ts'
import type { TableKey } from '../statements/statement.ts'
import { UUID } from './user-id.ts'

/** A row to write: values as the driver accepts them, by column. */
export type NewRow = Map<string, unknown>

/** Makes rows of records, as the columns of the database need them. */
export interface RowEncoder {
  /** The members of a record that the table has a column for. */
  encode(key: TableKey, record: object): Promise<NewRow>
  /** The row to insert for a record. Inserting it needs no further query. */
  newRow(key: TableKey, record: object): Promise<NewRow>
  /** The same for a user, whose id is chosen here unless the database counts. */
  newUser(user: object & { id?: string }): Promise<NewRow>
  /** The id as the users table contains it, or null if no user can have such an id. */
  userKey(id: string): Promise<string | null>
  /** Whether a column can contain such values at all. */
  canContain(values: readonly unknown[]): boolean
  /** The columns of a row, with their types. */
  typeColumns(key: TableKey, row: ReadonlyMap<string, unknown>): Promise<TypedColumns>
}

export function createRowEncoder(
  shapes: TableShapes,
  dialect: SqlDialect,
  names: TableNames,
): RowEncoder {
  function canContain(values: readonly unknown[]): boolean {
    return (
      dialect.takesNul || !values.some(value => typeof value === 'string' && value.includes('\0'))
    )
  }

  async function encode(key: TableKey, record: object): Promise<NewRow> {
    const { columns } = await shapes.of(key)
    const row: NewRow = new Map()
    for (const [name, value] of Object.entries(record)) {
      const column = columns.get(name)
      if (!column || value === undefined) continue
      const misfit = findMisfit(value, column.type, isIndexed(key, name), dialect)
      if (misfit) throw new RangeError(`the value for ${names[key]}.${name} ${misfit}`)
      row.set(name, dialect.encode(value, column.type))
    }
    return row
  }

  async function newRow(key: TableKey, record: object): Promise<NewRow> {
    const row = await encode(key, record)
    // Some of Auth.js's tables give accounts and sessions an id of their own.
    const id = (await shapes.of(key)).columns.get('id')
    if (id && !id.hasDefault && !row.has('id')) row.set('id', crypto.randomUUID())
    return row
  }

  return {
    canContain,
    encode,
    newRow,
    async newUser({ id, ...rest }) {
      const column = (await shapes.of('users')).columns.get('id')
      const isCounted = column !== undefined && integerRange(column.type, dialect) !== null
      return newRow('users', isCounted ? rest : { ...rest, id: id ?? crypto.randomUUID() })
    },
    async userKey(id) {
      const type = (await shapes.of('users')).columns.get('id')?.type ?? ''
      if (type === 'uuid') return UUID.test(id) ? id : null
      const range = integerRange(type, dialect)
      if (!range) return canContain([id]) ? id : null
      return /^\d{1,20}$/.test(id) && BigInt(id) <= range.max ? id : null
    },
    async typeColumns(key, row) {
      const { columns } = await shapes.of(key)
      return [...row.keys()].map(name => [name, columns.get(name)?.type ?? 'text'] as const)
    },
  }
}

/** Whether the column is part of an index. */
function isIndexed(key: TableKey, column: string): boolean {
  const { primaryKey, unique, indexes } = TABLES[key]
  return [primaryKey, ...unique, ...indexes].some(columns => columns.includes(column))
}
