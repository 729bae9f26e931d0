import { EXPIRING_TABLES } from '../../table-rules.ts'
import type { SqlTables } from '../open-tables.ts'
import { openExpiredRows } from './expired-rows.ts'

/** How many are removed at once. */
const BATCH = 500

/** Removes all rows that may be removed, a few at a time. Returns how many there were. */
export async function removeExpired(tables: SqlTables): Promise<number> {
  let total = 0
  for (const table of EXPIRING_TABLES) {
    // Tables of Auth.js, and older ones, may lack some of them.
    if (!(await tables.shapes.all())[table]) continue
    const rows = await openExpiredRows(tables, table)
    while (rows.areLeft) {
      total += await rows.removeBatch(BATCH)
      await untilOthersHaveRun()
    }
  }
  return total
}

/** SQLite responds at once: without a pause, a long table would keep visitors waiting to the end. */
function untilOthersHaveRun(): Promise<void> {
  return new Promise(resolve => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve)
  })
}
