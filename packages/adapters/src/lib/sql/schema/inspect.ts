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
  readonly unique: boolean
  readonly columns: readonly string[]
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

/** Reads the indexes of a table, primary key included. */
export async function inspectIndexes(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  name: string,
): Promise<FoundIndex[]> {
  const { rows } = await dialect.indexes([tablePath(name)]).execute(db)
  const names = [...new Set(rows.map(row => row.index_name))]
  return names.map(index => {
    const own = rows.filter(row => row.index_name === index)
    return {
      unique: Boolean(Number(own[0]?.is_unique)),
      columns: own.map(row => row.column_name),
    }
  })
}
