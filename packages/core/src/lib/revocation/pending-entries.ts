import type { NewRevocation, RevocationLog } from '../base/stores.ts'
import { splitInto } from '../session/split-into.ts'

/** Entries that the store has not accepted yet. */
export interface PendingEntries {
  has(key: string): boolean
  /**
   * Adds an entry, and sees to it that it is written once the store responds.
   *
   * @param retryEvery how often that is tried, in milliseconds
   */
  add(entry: NewRevocation, retryEvery: number): void
  /** Tries to write all of them. A failure is not thrown: the store may still be read. */
  write(): Promise<void>
}

/**
 * How many entries wait for a store that accepts none. Without a limit, signing out again and again could
 * fill the memory.
 */
const MAX_PENDING = 100_000

/**
 * Makes {@link PendingEntries}.
 *
 * @param poll what writes them next, before it reads
 */
export function createPendingEntries(
  log: Pick<RevocationLog, 'end'>,
  poll: () => Promise<void>,
): PendingEntries {
  /** By their keys: the same session may be ended over and over. */
  const pending = new Map<string, NewRevocation>()

  /** Retries even if this process gets no more requests. The timer keeps no process alive. */
  function retryLater(retryEvery: number): void {
    const timer: unknown = setTimeout(async () => {
      await poll()
      if (pending.size > 0) retryLater(retryEvery)
    }, retryEvery)
    if (typeof timer === 'object' && timer && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  }

  return {
    has: key => pending.has(key),
    add(entry, retryEvery) {
      if (pending.size === 0) retryLater(retryEvery)
      const [oldest] = pending.keys()
      if (pending.size >= MAX_PENDING && oldest !== undefined) pending.delete(oldest)
      pending.set(entry.key, entry)
    },
    async write() {
      try {
        for (const entries of splitInto([...pending.values()])) {
          await log.end(entries)
          // One that was added meanwhile under the same key is not written yet.
          for (const entry of entries) {
            if (pending.get(entry.key) === entry) pending.delete(entry.key)
          }
        }
      } catch {
        // The failure was logged when the session was ended. The next poll tries again.
      }
    },
  }
}
