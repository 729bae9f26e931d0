import { type Dialect, Kysely } from 'kysely'

/** The database to use, and how to end it: one that was given is left open. */
export interface OpenDatabase {
  readonly db: Kysely<unknown>
  readonly close: () => Promise<void>
}

/** For a Kysely of the application's own, with whatever tables it knows. */
export function useKysely<Tables>(kysely: Kysely<Tables>): OpenDatabase {
  // Sound: the adapter writes its SQL itself and makes no use of Kysely's knowledge of tables.
  return { db: kysely as unknown as Kysely<unknown>, close: async () => {} }
}

export function useDialect(dialect: Dialect, { isOurs }: { isOurs: boolean }): OpenDatabase {
  const db = new Kysely<unknown>({ dialect })
  return { db, close: async () => (isOurs ? db.destroy() : undefined) }
}
