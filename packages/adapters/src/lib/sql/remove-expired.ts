import { EXPIRING_TABLES, type ExpiringTable } from '../table-rules.ts'
import type { SqlLimiter } from './limiter.ts'
import type { SqlTables } from './open-tables.ts'
import { BATCH, type SqlRevocations } from './revocations.ts'
import type { ExpiringKey } from './statements/row-statements.ts'

// Longer than any two clocks, or time zones, lie apart.
const RETENTION_MS = 86_400_000

/** Tables whose times are numbers, each of a clock of its own. */
interface Logs {
  readonly revocations: SqlRevocations
  readonly limits: SqlLimiter
}

/** Removes what expired more than a day ago, a few rows at a time. Returns how many there were. */
export async function removeExpired(tables: SqlTables, logs: Logs): Promise<number> {
  const before = new Date((await storeTime(tables)) - RETENTION_MS)
  // Each removes a batch, and returns its size.
  const batches: Readonly<Record<ExpiringTable, () => Promise<number>>> = {
    sessions: () => removeRows(tables, 'sessions', before),
    verificationTokens: () => removeRows(tables, 'verificationTokens', before),
    trackedSessions: () => removeRows(tables, 'trackedSessions', before),
    revocations: () => logs.revocations.removeExpired(),
    // Its times are those of the servers.
    limits: () => logs.limits.removeExpired(Date.now() - RETENTION_MS),
  }
  let total = 0
  for (const table of EXPIRING_TABLES) {
    // Tables of Auth.js, and older ones, may lack some of them.
    if (!(await tables.shapes.all())[table]) continue
    let removed: number
    do {
      removed = await batches[table]()
      total += removed
    } while (removed === BATCH)
  }
  return total
}

/** The time by the clock of the database: a server that is ahead would remove sessions that live. */
async function storeTime({ first, statements }: SqlTables): Promise<number> {
  return Number((await first(statements.rows.now(), []))?.['store_now'])
}

async function removeRows(tables: SqlTables, key: ExpiringKey, before: Date): Promise<number> {
  const value = (await tables.encode(key, { expires: before })).get('expires')
  const statement = tables.statements.rows.removeExpired(key, BATCH)
  const { numAffectedRows } = await tables.run(statement, [value, value])
  return Number(numAffectedRows ?? 0)
}
