import { type Kysely, sql } from 'kysely'
import { errorCode } from '../dialect.ts'
import type { MigrationRules } from '../schema/migration-rules.ts'

/** How long a process waits for another one to migrate, in seconds. */
const MIGRATION_TIMEOUT_S = 600

/**
 * How long a step waits for transactions that use the table, in seconds. All other statements on it wait as well, behind
 * the step. A build that is refused at its end has to begin again.
 */
const LOCK_TIMEOUT_S = 5

const LOCK_WAIT_TIMEOUT = 1205

export const MYSQL_MIGRATIONS: MigrationRules = {
  online: { keyword: '', options: ' algorithm = inplace lock = none' },
  buildsOnline: true,
  locks: {
    createTable: users =>
      users === null ? 'blocks nothing' : `blocks writes to ${users} for a moment`,
    createFirstIndex: 'blocks nothing: the table is new',
    addColumn: table => `blocks ${table} for a moment`,
    createIndex: table =>
      `blocks ${table} for a moment at the beginning and at the end; it is read and written while the index is built`,
    dropIndex: table => `blocks ${table} for a moment`,
  },
  // `drop index` takes no such options in MariaDB.
  dropIndex: (index, table) =>
    `alter table ${table} drop index ${index}, algorithm = inplace, lock = none`,
  takeSteps: (db, { findNext, execute }) =>
    db.connection().execute(connection =>
      whileLocked(connection, async () => {
        const steps = await findNext(connection)
        if (steps.length === 0) return steps
        await whileImpatient(connection, async () => {
          for (const step of steps) await execute(step, connection)
        })
        return steps
      }),
    ),
  isLockTimeout: error => errorCode(error) === LOCK_WAIT_TIMEOUT,
}

/** Holds a lock that ends with the connection, if not before. */
async function whileLocked<T>(connection: Kysely<unknown>, act: () => Promise<T>): Promise<T> {
  // A name has at most 64 letters.
  const name = sql`concat('siteauth ', left(sha2(database(), 256), 40))`
  const { rows } = await sql<{ held: number | null }>`
    select get_lock(${name}, ${sql.lit(MIGRATION_TIMEOUT_S)}) as held`.execute(connection)
  if (Number(rows[0]?.held) !== 1) {
    throw new Error(
      'another process has been migrating these tables for ten minutes: find out what it is waiting for, then try again',
    )
  }
  try {
    return await act()
  } finally {
    await sql`select release_lock(${name})`.execute(connection)
  }
}

/** Makes statements give up if transactions use their table for too long, and leaves the connection as it was. */
async function whileImpatient(connection: Kysely<unknown>, act: () => Promise<void>) {
  const { rows } = await sql<{ seconds: number }>`
    select @@session.lock_wait_timeout as seconds`.execute(connection)
  const setTimeout = (seconds: number) =>
    sql`set session lock_wait_timeout = ${sql.lit(seconds)}`.execute(connection)
  await setTimeout(LOCK_TIMEOUT_S)
  try {
    await act()
  } finally {
    await setTimeout(Number(rows[0]?.seconds))
  }
}
