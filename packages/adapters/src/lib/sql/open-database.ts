import type { RevocationLog } from '@siteauth/core/adapters'
import { type Dialect, Kysely, type QueryResult } from 'kysely'
import { withTimeout } from '../with-timeout.ts'
import type { Row, Statement } from './statements/statement.ts'

/** The database to use, and how to close it: one of the application stays open. */
export interface OpenDatabase {
  readonly db: Kysely<unknown>
  /** The same without a timeout, for migrations: an index of a large table takes time. */
  readonly migrationDb: Kysely<unknown>
  /** Sends a statement by itself, outside any transaction. */
  readonly send: Send
  readonly close: () => Promise<void>
  /** Receives messages about a table on separate connections, where the database has them and the pool allows it. */
  readonly channelOf?: ((table: string) => Channel) | undefined
}

/** Connections on which messages about revocations arrive. */
export interface Channel {
  readonly watch: NonNullable<RevocationLog['watch']>
  /** Closes the connections. */
  readonly close: () => Promise<void>
}

export type Send = (statement: Statement, values: readonly unknown[]) => Promise<QueryResult<Row>>

/** Sends through Kysely, on any connection or on that of a transaction. */
export function sendBy(db: Kysely<unknown>): Send {
  return (statement, parameters) => db.executeQuery({ ...statement, parameters })
}

/** Uses the application's own Kysely, whichever tables its type has. */
export function useKysely<Tables>(kysely: Kysely<Tables>, timeout: number): OpenDatabase {
  // Sound: the adapter writes its SQL itself, without Kysely's types of tables.
  const db = kysely as unknown as Kysely<unknown>
  return { db, migrationDb: db, send: sendInTime(db, timeout), close: async () => {} }
}

/** Uses a dialect, whose connections the adapter closes. Null is for one that responds synchronously. */
export function useDialect(dialect: Dialect, timeout: number | null): OpenDatabase {
  const db = new Kysely<unknown>({ dialect })
  const close = async () => db.destroy()
  const send = timeout === null ? sendBy(db) : sendInTime(db, timeout)
  return { db, migrationDb: db, send, close }
}

function sendInTime(db: Kysely<unknown>, timeout: number): Send {
  const send = sendBy(db)
  return (statement, values) => withTimeout(timeout, send(statement, values))
}
