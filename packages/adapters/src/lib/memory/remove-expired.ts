import { EXPIRING_TABLES, type ExpiringTable } from '../table-rules.ts'
import type { MemoryRevocations } from './revocations.ts'
import type { MemoryTables } from './tables.ts'

const RETENTION_MS = 86_400_000

/** Removes what expired more than a day ago. Returns how many there were. */
export function removeExpired(tables: MemoryTables, revocations: MemoryRevocations): number {
  const before = Date.now() - RETENTION_MS
  const hasExpired = ({ expires }: { readonly expires: Date }) => expires.getTime() <= before
  const removers: Readonly<Record<ExpiringTable, () => number>> = {
    sessions: () => tables.sessions.deleteWhere(hasExpired),
    verificationTokens: () => tables.verificationTokens.deleteWhere(hasExpired),
    trackedSessions: () => tables.trackedSessions.deleteWhere(hasExpired),
    revocations: () => revocations.removeExpired(Number.POSITIVE_INFINITY),
    // The limiter never exceeds a fixed size.
    limits: () => 0,
  }
  return EXPIRING_TABLES.reduce((total, table) => total + removers[table](), 0)
}
