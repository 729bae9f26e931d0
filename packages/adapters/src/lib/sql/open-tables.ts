import { DEFAULT_TIMEOUT } from '../with-timeout.ts'
import type { SqlDialect } from './dialect.ts'
import type { OpenDatabase, Send } from './open-database.ts'
import { createRowEncoder, type NewRow, type RowEncoder } from './rows/row-encoder.ts'
import { isSameId } from './rows/user-id.ts'
import { createMigrations, type Migrations } from './schema/migrations.ts'
import { createTableShapes, type TableShapes } from './schema/table-shapes.ts'
import { DEFAULT_TABLE_NAMES, type TableNames } from './schema/tables.ts'
import { createStatementRunner, type StatementRunner } from './statement-runner.ts'
import type { CredentialKey } from './statements/row-statements.ts'
import type { Row, TableKey } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'
import { createStatements, type Statements } from './statements/statements.ts'

/** The options of every SQL adapter. */
export interface SqlAdapterOptions {
  /** Where tables have other names: `auth.users` is the table `users` in the schema `auth`. */
  tables?: Partial<TableNames>
  /**
   * How long the database may take to respond before the visitor sees an error.
   * Defaults to 10 000. Migrations may take longer.
   */
  timeoutMilliseconds?: number
  /**
   * Keeps the runtime from stopping before expired rows are removed, which is otherwise done in some of the requests: `waitUntil` of
   * the platform. Servers that go on between requests do not need it.
   *
   * @example
   * ```ts
   * import { PostgresAdapter } from '@siteauth/adapters/postgres'
   *
   * declare const waitUntil: (work: Promise<unknown>) => void // of '@vercel/functions', or 'cloudflare:workers'
   * export const adapter = PostgresAdapter({ url: 'postgres://localhost/app', waitUntil })
   * ```
   */
  waitUntil?: (work: Promise<unknown>) => unknown
}

/** The tables of a database, with everything that the methods of an adapter need to use them. */
export interface SqlTables extends StatementRunner, RowEncoder, SqlRows {
  readonly database: OpenDatabase
  readonly dialect: SqlDialect
  readonly names: TableNames
  readonly timeout: number
  readonly migrations: Migrations
  readonly statements: Statements
  readonly shapes: TableShapes
  /** Uses a table that older databases may lack. If it is missing, the error explains how to create it. */
  withTable<T>(key: TableKey, act: () => Promise<T>): Promise<T>
}

/** Rows by their primary keys, which are compared byte by byte. */
interface SqlRows {
  find(key: TableKey, id: readonly unknown[]): Promise<Row | null>
  insert(key: TableKey, record: object): Promise<void>
  insertRow(key: TableKey, row: NewRow, send?: Send): Promise<void>
  /** Changes a row and returns it, or null if it is missing. */
  update(key: TableKey, id: readonly unknown[], changes: object): Promise<Row | null>
  /** Deletes a row and returns it, or null if it is missing or another caller deleted it. */
  remove(key: TableKey, id: readonly unknown[]): Promise<Row | null>
  /** The same, for a row of that user only. */
  removeOf(userId: string, key: CredentialKey, id: readonly unknown[]): Promise<Row | null>
  /**
   * Does the same with one statement where deletions return rows. Whether they do is read from the server
   * first, once: for tables that are used often.
   */
  take(key: TableKey, id: readonly unknown[]): Promise<Row | null>
}

export function openTables(
  database: OpenDatabase,
  dialect: SqlDialect,
  options: SqlAdapterOptions & { migrateFirst?: boolean },
): SqlTables {
  const { db, migrationDb } = database
  const names = { ...DEFAULT_TABLE_NAMES, ...options.tables }
  const timeout = options.timeoutMilliseconds ?? DEFAULT_TIMEOUT
  const migrations = createMigrations(migrationDb, dialect, names)
  const statements = createStatements(db, dialect, names)
  const runner = createStatementRunner({
    database,
    dialect,
    timeout,
    migrations: options.migrateFirst ? migrations : null,
  })
  const shapes = createTableShapes({ db, dialect, names, timeout, ready: runner.ready })
  const encoder = createRowEncoder(shapes, dialect, names)
  return {
    database,
    dialect,
    names,
    timeout,
    statements,
    shapes,
    migrations: {
      ...migrations,
      async apply() {
        const steps = await migrations.apply()
        shapes.forget()
        return steps
      },
    },
    ...runner,
    ...encoder,
    ...openRows({ dialect, statements, shapes, ...runner, ...encoder }),
    async withTable(key, act) {
      try {
        return await act()
      } catch (error) {
        if (dialect.isMissingTable(error)) await shapes.of(key)
        throw error
      }
    },
  }
}

type RowTools = Pick<SqlTables, 'dialect' | 'statements' | 'shapes'> & StatementRunner & RowEncoder

function openRows(tools: RowTools): SqlRows {
  const { dialect, shapes, run, first, encode, newRow, canContain } = tools
  const statements = tools.statements.rows

  async function find(key: TableKey, id: readonly unknown[]): Promise<Row | null> {
    return canContain(id) ? first(statements.find(key), keyValues(key, id)) : null
  }

  async function insertRow(key: TableKey, row: NewRow, send?: Send): Promise<void> {
    await run(statements.insert(key, [...row.keys()]), [...row.values()], send)
  }

  async function remove(key: TableKey, id: readonly unknown[]): Promise<Row | null> {
    if (!canContain(id)) return null
    if (dialect.hasReturning) return first(statements.take(key), keyValues(key, id))
    const row = await find(key, id)
    if (!row) return null
    const { numAffectedRows } = await run(statements.remove(key), keyValues(key, id))
    return numAffectedRows ? row : null
  }

  async function removeOf(userId: string, key: CredentialKey, id: readonly unknown[]) {
    const userKey = await tools.userKey(userId)
    if (userKey === null || !canContain(id)) return null
    const values = [...keyValues(key, id), userKey]
    const statement = statements.takeOfUser(key)
    if (dialect.hasReturning) return first(statement, values)
    const row = await find(key, id)
    if (!row || !isSameId(String(row['userId']), userId)) return null
    const { numAffectedRows } = await run(statement, values)
    return numAffectedRows ? row : null
  }

  return {
    find,
    insertRow,
    remove,
    removeOf,
    async insert(key, record) {
      await insertRow(key, await newRow(key, record))
    },
    async update(key, id, changes) {
      const changed = await encode(key, changes)
      if (changed.size > 0) {
        const statement = statements.update(key, [...changed.keys()])
        if (!canContain(id)) return null
        const { rows } = await run(statement, [...changed.values(), ...keyValues(key, id)])
        if (dialect.hasReturning) return rows[0] ?? null
      }
      return find(key, id)
    },
    async take(key, id) {
      if (!canContain(id)) return null
      return (await shapes.returnsDeleted())
        ? first(statements.take(key), keyValues(key, id))
        : remove(key, id)
    },
  }
}
