import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { retryOnConflict } from '../../retry-on-conflict.ts'
import { DEFAULT_TIMEOUT } from '../../with-timeout.ts'
import type { OpenDatabase, Send } from '../open-database.ts'
import { SQLITE } from './sqlite-dialect.ts'

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

/** Sends a statement again, until the timeout, if another process has locked the file. */
export function untilUnlocked(opened: OpenDatabase, timeout: number): OpenDatabase {
  const send: Send = async (statement, values) => {
    try {
      return await opened.send(statement, values)
    } catch (error) {
      if (!SQLITE.isConflict(error)) throw error
      return retryOnConflict(SQLITE.isConflict, () => opened.send(statement, values), timeout)
    }
  }
  return { ...opened, send }
}

const BRIEFLY_MS = 5

// Many more than the adapter has statements. The application's own Kysely is opened elsewhere.
const MAX_PREPARED = 200

/** Opens a file with the SQLite of Node if there is one, else with that of `libsql`. */
export async function openSqlite(
  file: string,
  timeout: number = DEFAULT_TIMEOUT,
): Promise<SqliteDatabase> {
  const driver = openBuiltIn(file) ?? (await openLibsql(file))
  // SQLite blocks this process while it waits, so longer waits are done in JavaScript.
  driver.exec(`pragma busy_timeout = ${BRIEFLY_MS}`)
  // Readers and a writer do not wait for each other, also in several processes.
  const shareTheFile = async () => driver.exec('pragma journal_mode = wal')
  await retryOnConflict(SQLITE.isConflict, shareTheFile, timeout)
  driver.exec('pragma synchronous = normal')
  driver.exec('pragma foreign_keys = on')
  return wrap(driver)
}

function openBuiltIn(file: string): Driver | null {
  // Sound: its documented interface, which the types for Node 20 lack.
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
    const message = `Node ${process.versions.node} has no built-in SQLite: install the libsql package`
    throw new Error(message, { cause })
  }
}

function wrap(driver: Driver): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  let isInTransaction = false

  /**
   * Takes the lock before a statement that writes and returns rows: if such a statement finds the file
   * locked, libsql leaves it unfinished, and no later transaction can end.
   */
  function whileWriting<T>(act: () => T): T {
    if (isInTransaction) return act()
    driver.exec('begin immediate')
    try {
      const result = act()
      driver.exec('commit')
      return result
    } catch (error) {
      rollBack(driver)
      throw error
    }
  }

  function run(sql: string, statement: DriverStatement, parameters: readonly unknown[]) {
    try {
      if (!/^\s*begin\b/i.test(sql)) return statement.run(...parameters)
      // As above: prepared, it would be left unfinished if the file is locked.
      driver.exec(sql)
      isInTransaction = true
      return { changes: 0, lastInsertRowid: 0 }
    } finally {
      // Also if it fails: a rollback follows, or there was none.
      if (/^\s*(commit|rollback)\b/i.test(sql)) isInTransaction = false
    }
  }

  return {
    close: () => driver.close(),
    prepare(sql) {
      const cached = prepared.get(sql)
      if (cached) return cached
      const statement = driver.prepare(sql)
      const isReading = /^\s*(select|with|pragma)\b/i.test(sql)
      const created: SqliteStatement = {
        reader: isReading || /\breturning\b/i.test(sql),
        all: parameters =>
          isReading
            ? statement.all(...parameters)
            : whileWriting(() => statement.all(...parameters)),
        run: parameters => run(sql, statement, parameters),
        iterate: parameters => statement.all(...parameters).values(),
      }
      if (prepared.size >= MAX_PREPARED) prepared.clear()
      prepared.set(sql, created)
      return created
    },
  }
}

function rollBack(driver: Driver): void {
  try {
    driver.exec('rollback')
  } catch {
    // A disk that is full may have ended the transaction already.
  }
}
