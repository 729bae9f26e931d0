import type { SqliteDatabase, SqliteStatement } from 'kysely'

/** What `node:sqlite` and `libsql` have in common. */
interface Driver {
  exec(sql: string): unknown
  prepare(sql: string): DriverStatement
  close(): void
}

interface DriverStatement {
  all(...parameters: readonly unknown[]): unknown[]
  run(...parameters: readonly unknown[]): {
    changes: number | bigint
    lastInsertRowid: number | bigint
  }
}

// Many more than the adapter has statements; the application's own Kysely is not opened here.
const MAX_PREPARED = 200

/** Opens a file with the SQLite of Node where there is one, else with that of `libsql`. */
export async function openSqlite(file: string): Promise<SqliteDatabase> {
  const driver = openBuiltIn(file) ?? (await openLibsql(file))
  // Readers and a writer do not wait for each other, also in several processes.
  driver.exec('pragma busy_timeout = 5000')
  driver.exec('pragma journal_mode = wal')
  driver.exec('pragma synchronous = normal')
  driver.exec('pragma foreign_keys = on')
  return wrap(driver)
}

function openBuiltIn(file: string): Driver | null {
  // Sound: its documented interface, which the types for Node 20 do not know yet.
  const builtIn = process.getBuiltinModule?.('node:sqlite' as 'node:fs') as unknown as
    | { DatabaseSync: new (file: string) => Driver }
    | undefined
  return builtIn ? new builtIn.DatabaseSync(file) : null
}

async function openLibsql(file: string): Promise<Driver> {
  try {
    const { default: Database } = await import('libsql')
    return new Database(file)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) {
      throw cause
    }
    const message = `Node ${process.versions.node} has no SQLite of its own: install the package libsql`
    throw new Error(message, { cause })
  }
}

function wrap(driver: Driver): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close: () => driver.close(),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known) return known
      const statement = driver.prepare(sql)
      const made: SqliteStatement = {
        reader: /^\s*(select|with|pragma)\b|\breturning\b/i.test(sql),
        all: parameters => statement.all(...parameters),
        run: parameters => statement.run(...parameters),
        iterate: parameters => statement.all(...parameters).values(),
      }
      if (prepared.size >= MAX_PREPARED) prepared.clear()
      prepared.set(sql, made)
      return made
    },
  }
}
