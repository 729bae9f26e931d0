import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'
import { tablePath } from '../dialect.ts'
import type { TableNames } from './tables.ts'

/** A column of an existing table. */
interface FoundColumn {
  /** In lower case, as the database reports it. */
  readonly type: string
  readonly hasDefault: boolean
  /** Its character set and collation in SQL, where types do not include them. */
  readonly collation: string | null
}

/** A table as it is in the database. */
export interface FoundTable {
  readonly columns: ReadonlyMap<string, FoundColumn>
}

export interface FoundIndex {
  readonly name: string
  /** Its quoted name with its schema, where indexes have one of their own. */
  readonly path: string | null
  readonly unique: boolean
  readonly columns: readonly string[]
  /** Whether its build was interrupted, or is still in progress: no query uses it. */
  readonly isUnfinished: boolean
}

/** The tables that exist, by their keys. */
export type FoundTables = Readonly<Partial<Record<keyof TableNames, FoundTable>>>

/** Reads which of the tables exist and what their columns are, in one query. */
export async function inspectTables(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Promise<FoundTables> {
  const { rows } = await dialect.columns(Object.values(names).map(tablePath)).execute(db)
  const tables: Partial<Record<keyof TableNames, FoundTable>> = {}
  for (const [key, name] of Object.entries(names)) {
    const own = rows.filter(row => row.table_name === tablePath(name).name)
    if (own.length === 0) continue
    // Sound: the keys of an object of this type.
    tables[key as keyof TableNames] = {
      columns: new Map(
        own.map(row => [
          row.column_name,
          {
            type: row.column_type.toLowerCase(),
            hasDefault: Boolean(Number(row.has_default)),
            collation: row.column_collation,
          },
        ]),
      ),
    }
  }
  return tables
}

/** Reads the indexes of a table, primary key included, that queries can use. */
export async function inspectIndexes(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  name: string,
): Promise<FoundIndex[]> {
  const indexesOf = await inspectAllIndexes(db, dialect, [name])
  return indexesOf(name).filter(({ isUnfinished }) => !isUnfinished)
}

/** Reads the indexes of several tables in one query, also those that are not complete. */
export async function inspectAllIndexes(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: readonly string[],
): Promise<(table: string) => FoundIndex[]> {
  const { rows } = await dialect.indexes(names.map(tablePath)).execute(db)
  return table => {
    const own = rows.filter(row => row.table_name === tablePath(table).name)
    return [...new Set(own.map(row => row.index_name))].map(name => {
      const columns = own.filter(row => row.index_name === name)
      const [first] = columns
      return {
        name,
        path: first?.index_path ?? null,
        unique: Boolean(Number(first?.is_unique)),
        columns: columns.map(row => row.column_name),
        isUnfinished: Boolean(first?.is_unfinished),
      }
    })
  }
}
