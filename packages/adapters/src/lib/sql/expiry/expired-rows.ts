import type { ExpiringTable } from '../../table-rules.ts'
import type { SqlTables } from '../open-tables.ts'
import { hasDates } from '../statements/expiry-statements.ts'
import type { Row } from '../statements/statement.ts'

/** The rows of a table that may be removed. */
export interface ExpiredRows {
  /** Removes up to so many of them, those first that expired first. Returns how many there were. */
  removeBatch(count: number): Promise<number>
  /** Whether some are left, as far as is known. */
  readonly areLeft: boolean
}

// Longer than any two clocks, or time zones, lie apart.
const RETENTION_MS = 86_400_000

/**
 * The rows of a table that expired more than a day ago by the clock of the database: a server whose clock is ahead would remove
 * those that are valid. Each batch begins where the one before ended. Beside a long transaction, the database keeps what was
 * removed, and a batch that began at the beginning would read all of it.
 */
export async function openExpiredRows(
  tables: SqlTables,
  table: ExpiringTable,
): Promise<ExpiredRows> {
  const { run, first, dialect } = tables
  const { expiry } = tables.statements
  const before = await beforeFor(tables, table)
  const twice = expiry.isCheckedTwice ? before : []
  let start: readonly unknown[] = []
  let areLeft = true

  return {
    get areLeft() {
      return areLeft
    },
    async removeBatch(count) {
      const range = { hasStart: start.length > 0 }
      const values = [...start, ...before, ...twice]
      const { rows, numAffectedRows } = await run(expiry.remove(table, count, range), values)
      const removed = dialect.hasReturning ? rows.length : Number(numAffectedRows ?? 0)
      areLeft = removed >= count
      if (!areLeft) return removed
      const last = dialect.hasReturning
        ? latest(rows)
        : (await first(expiry.findNext(table, range), [...start, ...before]))?.['expires']
      areLeft = last !== undefined
      // Others may have expired at the same time.
      start = [last]
      return removed
    },
  }
}

/** The time of the row that expired last. Any of them will do: the next batch then reads some of these again. */
function latest(rows: readonly Row[]): unknown {
  const times = rows.map(({ expires }) => expires)
  const isNumber = times.every(time => Number.isFinite(Number(time)))
  const isLater = (one: unknown, other: unknown) =>
    isNumber ? Number(one) > Number(other) : String(one) > String(other)
  return times.reduce((last, time) => (isLater(time, last) ? time : last))
}

/** The time before which rows may be removed, as the column of the table contains times. Empty if the statements know it. */
async function beforeFor(tables: SqlTables, table: ExpiringTable): Promise<readonly unknown[]> {
  if (!hasDates(table)) return []
  const row = await tables.first(tables.statements.rows.now(), [])
  const expires = new Date(Number(row?.['store_now']) - RETENTION_MS)
  return [(await tables.encode(table, { expires })).get('expires')]
}
