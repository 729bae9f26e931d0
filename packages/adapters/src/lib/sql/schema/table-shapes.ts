import type { Kysely } from 'kysely'
import { withTimeout } from '../../with-timeout.ts'
import type { SqlDialect } from '../dialect.ts'
import { type FoundTable, type FoundTables, inspectTables } from './inspect.ts'
import type { TableNames } from './tables.ts'

/** The tables as they are in the database. */
export interface TableShapes {
  /** The tables that exist. Read once, and again if reading failed. */
  all(): Promise<FoundTables>
  /** The columns of a table. Throws if it is missing, and looks again the next time. */
  of(key: keyof TableNames): Promise<FoundTable>
  /** Whether deletions on this server return the deleted rows. */
  returnsDeleted(): Promise<boolean>
  /** Has the tables read again at their next use. */
  forget(): void
}

interface ShapeOptions {
  readonly db: Kysely<unknown>
  readonly dialect: SqlDialect
  readonly names: TableNames
  readonly timeout: number
  /** Resolves when the adapter has created its tables, if it does that itself. */
  readonly ready: () => Promise<unknown>
}

export function createTableShapes(options: ShapeOptions): TableShapes {
  const { db, dialect, names, timeout, ready } = options
  let reading: Promise<FoundTables> | null = null
  let returnsDeleted = dialect.hasReturning

  async function read(): Promise<FoundTables> {
    const [tables, returns] = await Promise.all([
      inspectTables(db, dialect, names),
      dialect.returnsDeleted(db),
    ])
    returnsDeleted = returns
    return tables
  }

  async function all(): Promise<FoundTables> {
    await ready()
    reading ??= read()
    const attempt = reading
    return withTimeout(timeout, attempt).catch(error => {
      if (reading === attempt) reading = null
      throw error
    })
  }

  return {
    all,
    async of(key) {
      const shape = (await all())[key]
      if (shape) return shape
      reading = null
      const message = `the table ${names[key]} does not exist: create it with adapter.migrations.apply(), or with the SQL from adapter.migrations.sql()`
      // The engine does without some tables, and tells by the code that it may.
      throw Object.assign(new Error(message), { code: 'missing_table' })
    },
    async returnsDeleted() {
      await all()
      return returnsDeleted
    },
    forget() {
      reading = null
    },
  }
}
