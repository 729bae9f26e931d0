import type { Limiter } from '@siteauth/core/adapters'
import type { SqlTables } from './open-tables.ts'
import { BATCH } from './revocations.ts'
import { firstAttempt } from './statements/limit-sql.ts'
import { limitStatements } from './statements/limit-statements.ts'
import type { Statement } from './statements/statement.ts'

export interface SqlLimiter {
  readonly limiter: Limiter
  /** Removes a batch of those that expired at that time or before. Returns how many there were. */
  readonly removeExpired: (now: number) => Promise<number>
}

/** How often a process that counts attempts removes expired ones, at most. */
const TIDY_EVERY_MS = 60_000

export function sqlLimiter(tables: SqlTables): SqlLimiter {
  const { database, dialect, names } = tables
  const { limits } = dialect
  const statements = limitStatements(database.db, dialect, names.limits)
  let tidied = Number.NEGATIVE_INFINITY

  const run = (statement: Statement, values: readonly unknown[]) =>
    tables.withTable('limits', () => tables.run(statement, values))

  async function removeExpired(now: number): Promise<number> {
    const { numAffectedRows } = await run(statements.remove(BATCH), [now, now])
    return Number(numAffectedRows ?? 0)
  }

  /** Cleans up now and then. If that fails, another process will do it. */
  async function tidy(now: number): Promise<void> {
    if (now - tidied < TIDY_EVERY_MS) return
    tidied = now
    const removed = await removeExpired(now).catch(() => 0)
    // There are more: an attacker is trying many names.
    if (removed === BATCH) tidied = Number.NEGATIVE_INFINITY
  }

  return {
    removeExpired,
    limiter: {
      async take(key, rule, now) {
        const values = [...firstAttempt(key, rule, now), ...limits.moreValues(key, now)]
        const wait = limits.waitFrom(await run(statements.take(rule), values))
        await tidy(now)
        if (wait !== undefined) return wait
        const { rows } = await run(statements.find(), [key])
        return Math.max(Number(rows[0]?.['next'] ?? 0) - now, 1)
      },
      forget: key => run(statements.forget(), [key]),
    },
  }
}
