import type { RevocationLog } from '../base/stores.ts'
import { createRevokedKeys, type RevokedKeys } from './keys/revoked-keys.ts'
import { createLogReader, type LogReader } from './log-reader.ts'
import { createPendingEntries, type PendingEntries } from './pending-entries.ts'
import { createStoreHealth, limitCalls, type StoreHealth } from './store-health.ts'

/** A process's copy of a log, which is the same for all configurations that use it. */
export interface SharedLog {
  /** The log, with calls that are abandoned if they take too long. */
  readonly log: RevocationLog
  readonly health: StoreHealth
  readonly view: RevokedKeys
  readonly pending: PendingEntries
  readonly reader: LogReader
  /** How long the sessions live that the log may revoke: the longest of them. */
  maxAgeSeconds: number
  /** How long a process may be behind the store, the longest of all. */
  maxStaleMilliseconds: number
}

const opened = new WeakMap<RevocationLog, SharedLog>()

/** One view of a log is enough for a process, however many configurations use it. */
export function sharedLogOf(
  log: RevocationLog,
  {
    maxAgeSeconds,
    maxStaleMilliseconds,
  }: Pick<SharedLog, 'maxAgeSeconds' | 'maxStaleMilliseconds'>,
): SharedLog {
  const shared = opened.get(log) ?? openLog(log)
  shared.maxAgeSeconds = Math.max(shared.maxAgeSeconds, maxAgeSeconds)
  shared.maxStaleMilliseconds = Math.max(shared.maxStaleMilliseconds, maxStaleMilliseconds)
  opened.set(log, shared)
  return shared
}

function openLog(given: RevocationLog): SharedLog {
  const health = createStoreHealth()
  const log = limitCalls(given, health)
  const view = createRevokedKeys()
  const pending = createPendingEntries(log, () => reader.poll())
  const reader: LogReader = createLogReader(log, view, pending)
  return { log, health, view, pending, reader, maxAgeSeconds: 0, maxStaleMilliseconds: 0 }
}
