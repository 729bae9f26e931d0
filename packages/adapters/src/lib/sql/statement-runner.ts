import { retryOnConflict } from '../retry-on-conflict.ts'
import { withTimeout } from '../with-timeout.ts'
import type { SqlDialect } from './dialect.ts'
import { type OpenDatabase, type Send, sendBy } from './open-database.ts'
import type { Migrations } from './schema/migrations.ts'
import type { Row, Statement } from './statements/statement.ts'

/** Sends statements, once the tables exist. */
export interface StatementRunner {
  /** Resolves when the adapter has created its tables, if it does that itself. */
  ready(): Promise<unknown>
  /** Runs a statement, again after a conflict; or by `send`, if it is part of a transaction. */
  run(statement: Statement, values: readonly unknown[], send?: Send): ReturnType<Send>
  /** Runs a statement and returns its first row. */
  first(statement: Statement, values: readonly unknown[], send?: Send): Promise<Row | null>
  /** Runs a transaction, again after a conflict. */
  transact<T>(act: (send: Send) => Promise<T>): Promise<T>
}

interface RunnerOptions {
  readonly database: OpenDatabase
  readonly dialect: SqlDialect
  readonly timeout: number
  /** If given, they are applied before the first statement. */
  readonly migrations: Migrations | null
}

export function createStatementRunner(options: RunnerOptions): StatementRunner {
  const { database, dialect, timeout, migrations } = options
  let migrating: Promise<unknown> | null = null

  async function ready(): Promise<void> {
    if (!migrations) return
    migrating ??= migrations.apply()
    const attempt = migrating
    await attempt.catch(error => {
      if (migrating === attempt) migrating = null
      throw error
    })
  }

  const persist = <T>(act: () => Promise<T>) => retryOnConflict(dialect.isConflict, act, timeout)

  const run: StatementRunner['run'] = async (statement, values, send) => {
    if (migrations) await ready()
    // A transaction repeats as a whole. A statement without one had no effect if it was in conflict.
    return send ? send(statement, values) : persist(() => database.send(statement, values))
  }

  return {
    ready,
    run,
    async first(statement, values, send) {
      const { rows } = await run(statement, values, send)
      return rows[0] ?? null
    },
    async transact(act) {
      if (migrations) await ready()
      return persist(() => {
        const done = dialect.inTransaction(database.db, connection => act(sendBy(connection)))
        return withTimeout(timeout, done)
      })
    },
  }
}
