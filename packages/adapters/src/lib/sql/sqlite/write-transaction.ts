import { type Kysely, sql } from 'kysely'

/** A transaction that locks for writing at its start: one that upgrades its lock later can fail. */
export function whileWriting<T>(
  db: Kysely<unknown>,
  act: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async connection => {
    await sql`begin immediate`.execute(connection)
    try {
      const result = await act(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // A disk that is full may have ended the transaction already.
      await sql`rollback`.execute(connection).catch(() => {})
      throw error
    }
  })
}
