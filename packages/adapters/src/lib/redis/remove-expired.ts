import { EXPIRING_TABLES, type ExpiringTable } from '../table-rules.ts'
import type { RedisRevocations } from './revocations/revocations.ts'

/** Removes what Redis does not remove by itself. Returns how many there were. */
export async function removeExpired(revocations: RedisRevocations): Promise<number> {
  // Each removes a batch, and returns its size; null where every key has its own time to live.
  const batches: Readonly<Record<ExpiringTable, (() => Promise<number>) | null>> = {
    sessions: null,
    verificationTokens: null,
    trackedSessions: null,
    revocations: () => revocations.removeExpired(),
    limits: null,
  }
  let total = 0
  for (const table of EXPIRING_TABLES) {
    const removeBatch = batches[table]
    if (!removeBatch) continue
    for (let removed = 1; removed > 0; total += removed) removed = await removeBatch()
  }
  return total
}
