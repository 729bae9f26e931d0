import { type Dialect, Kysely, type QueryResult } from 'kysely'
import { withTimeout } from '../with-timeout.ts'
import type { ListeningClient } from './postgres/listening-client.ts'
import type { Row, Statement } from './statements/statement.ts'

/** The database to use, and how to end it: one that was given is left open. */
export interface OpenDatabase {
  readonly db: Kysely<unknown>
  /** The same, for what may take its time: an index of a large table. */
  readonly patientDb: Kysely<unknown>
  /** Sends a statement by itself, outside any transaction. */
  readonly send: Send
  readonly close: () => Promise<void>
  /** Makes a connection beside all others, for messages, where the database has them and lets us. */
  readonly openClient?: (() => Promise<ListeningClient>) | undefined
}

export type Send = (statement: Statement, values: readonly unknown[]) => Promise<QueryResult<Row>>

/** Sends by Kysely: on any connection, or on that of a transaction. */
export function sendBy(db: Kysely<unknown>): Send {
  return (statement, parameters) => db.executeQuery({ ...statement, parameters })
}

/** For a Kysely of the application's own, with whatever tables it knows. */
export function useKysely<Tables>(kysely: Kysely<Tables>, timeout: number): OpenDatabase {
  // Sound: the adapter writes its SQL itself and makes no use of Kysely's knowledge of tables.
  const db = kysely as unknown as Kysely<unknown>
  return { db, patientDb: db, send: sendInTime(db, timeout), close: async () => {} }
}

/** For a dialect, whose connections are ours to close. Without a timeout where it answers at once. */
export function useDialect(dialect: Dialect, timeout: number | null): OpenDatabase {
  const db = new Kysely<unknown>({ dialect })
  const close = async () => db.destroy()
  const send = timeout === null ? sendBy(db) : sendInTime(db, timeout)
  return { db, patientDb: db, send, close }
}

function sendInTime(db: Kysely<unknown>, timeout: number): Send {
  const send = sendBy(db)
  return (statement, values) => withTimeout(timeout, send(statement, values))
}
