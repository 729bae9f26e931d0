import { type Dialect, Kysely, type QueryResult } from 'kysely'
import type { Row, Statement } from './statements.ts'

/** The database to use, and how to end it: one that was given is left open. */
export interface OpenDatabase {
  readonly db: Kysely<unknown>
  /** Sends a statement by itself, outside of any transaction. */
  readonly send: Send
  readonly close: () => Promise<void>
}

export type Send = (statement: Statement, values: readonly unknown[]) => Promise<QueryResult<Row>>

/** Sends by Kysely: on any connection, or on that of a transaction. */
export function sendBy(db: Kysely<unknown>): Send {
  return (statement, parameters) => db.executeQuery({ ...statement, parameters })
}

/** For a Kysely of the application's own, with whatever tables it knows. */
export function useKysely<Tables>(kysely: Kysely<Tables>): OpenDatabase {
  // Sound: the adapter writes its SQL itself and makes no use of Kysely's knowledge of tables.
  const db = kysely as unknown as Kysely<unknown>
  return { db, send: sendBy(db), close: async () => {} }
}

export function useDialect(dialect: Dialect, { isOurs }: { isOurs: boolean }): OpenDatabase {
  const db = new Kysely<unknown>({ dialect })
  return { db, send: sendBy(db), close: async () => (isOurs ? db.destroy() : undefined) }
}
