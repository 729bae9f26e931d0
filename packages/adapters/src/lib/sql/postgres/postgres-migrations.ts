import { type Kysely, sql } from 'kysely'
import { errorCode, tablePath } from '../dialect.ts'
import {
  type MigrationRules,
  pause,
  type StepTaking,
  type StepToTake,
} from '../schema/migration-rules.ts'

/** The lock held while migrating: a number that others are unlikely to use. */
const MIGRATION_LOCK = 7_483_198_467

/** From PostgreSQL's table of errors, Appendix A. */
const LOCK_NOT_AVAILABLE = '55P03'

/** How long a step waits for a table. All other statements on the table wait as well, behind the step. */
const LOCK_TIMEOUT = '1s'

/** How long to wait for a second connection. A pool of one never gives it. */
const SECOND_CONNECTION_MS = 2_000

/** Those that did not give one. */
const withOneConnection = new WeakSet<Kysely<unknown>>()

export const POSTGRES_MIGRATIONS: MigrationRules = {
  online: { keyword: ' concurrently', options: '' },
  buildsOnline: true,
  locks: {
    createTable: users =>
      users === null ? 'blocks nothing' : `blocks writes to ${users} for a moment`,
    createFirstIndex: 'blocks nothing: the table is new',
    addColumn: table => `blocks ${table} for a moment`,
    createIndex: table =>
      `blocks nothing: ${table} is read and written while the index is built; waits for open transactions`,
    dropIndex: table => `blocks nothing: waits for the transactions that use ${table}`,
  },
  dropIndex: index => `drop index concurrently if exists ${index}`,
  takeSteps,
  isLockTimeout: error => errorCode(error) === LOCK_NOT_AVAILABLE,
}

/** What a transaction that held the lock has led to. */
type Outcome<Step> =
  | { readonly is: 'taken'; readonly steps: readonly Step[] }
  /** Another process migrates, or builds an index of the table. */
  | { readonly is: 'busy' }
  /** There is no second connection beside the one that holds the lock. */
  | { readonly is: 'alone'; readonly step: Step }

async function takeSteps<Step extends StepToTake>(
  db: Kysely<unknown>,
  taking: StepTaking<Step>,
): Promise<readonly Step[]> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await takeLocked(db, taking)
    if (outcome.is === 'taken') return outcome.steps
    if (outcome.is === 'alone') {
      await taking.execute(outcome.step, db)
      return [outcome.step]
    }
    await pause(Math.min(500, attempt * 20))
  }
}

/**
 * The lock ends with the transaction, also behind a pooler and when the process is killed. It is not waited for in a
 * statement: an index that is built concurrently waits for all statements that run, and so for one that waits for the lock.
 */
async function takeLocked<Step extends StepToTake>(
  db: Kysely<unknown>,
  { findNext, execute }: StepTaking<Step>,
): Promise<Outcome<Step>> {
  let built: Step | undefined
  try {
    // At this level, the transaction has no snapshot between its statements that such an index would wait for.
    const transaction = db.transaction().setIsolationLevel('read committed')
    return await transaction.execute(async locked => {
      if (!(await tryLock(locked))) return { is: 'busy' }
      const steps = await findNext(locked)
      const step = steps.find(({ isOfUsedIndex }) => isOfUsedIndex)
      if (!step) {
        if (steps.length > 0) {
          await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(locked)
        }
        for (const each of steps) await execute(each, locked)
        return { is: 'taken', steps }
      }
      if (await isBuilding(locked, step.table)) return { is: 'busy' }
      // The last statement before the build. It needs no snapshot, and replaces the portal of the one before, which may have
      // one. The server must not end the transaction during the build.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(locked)
      if (!(await beside(db, other => execute(step, other)))) return { is: 'alone', step }
      built = step
      return { is: 'taken', steps: [step] }
    })
  } catch (error) {
    // The build is done, even if the connection that held the lock was lost meanwhile.
    if (built) return { is: 'taken', steps: [built] }
    throw error
  }
}

async function tryLock(transaction: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}) as held`.execute(transaction)
  return rows[0]?.held === true
}

/**
 * Whether a server process builds an index of the table, such as one whose client was killed. It goes on to the end, and
 * its index is complete then.
 */
async function isBuilding(transaction: Kysely<unknown>, table: string): Promise<boolean> {
  const { schema, name } = tablePath(table)
  // The tables of processes of other users are hidden.
  const { rows } = await sql`
    select 1 from pg_stat_progress_create_index
    where datname = current_database()
      and coalesce(relid = to_regclass(${[schema, name].filter(Boolean).map(quoted).join('.')}), true)
    `.execute(transaction)
  return rows.length > 0
}

function quoted(name: string | null): string {
  return `"${String(name).replaceAll('"', '""')}"`
}

/** Acts on another connection, outside any transaction. Returns false if the pool has no other. */
async function beside(
  db: Kysely<unknown>,
  act: (other: Kysely<unknown>) => Promise<void>,
): Promise<boolean> {
  if (withOneConnection.has(db)) return false
  let state: 'waiting' | 'connected' | 'late' = 'waiting'
  const done = db
    .connection()
    .execute(async connection => {
      if (state === 'late') return
      state = 'connected'
      await act(connection)
    })
    .catch(error => {
      // A pool may refuse a second connection at once.
      if (state === 'connected') throw error
    })
  await Promise.race([done, new Promise(resolve => setTimeout(resolve, SECOND_CONNECTION_MS))])
  // Typescript does not see that the callback changes it.
  if ((state as string) !== 'connected') {
    state = 'late'
    withOneConnection.add(db)
    return false
  }
  await done
  return true
}
