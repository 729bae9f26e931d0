import type { RevocationEntry, RevocationLog } from '@siteauth/core/adapters'
import { checkRevocations, RETENTION_MS } from '../revocations/check-revocations.ts'

interface Entry extends RevocationEntry {
  readonly changed: number
}

/** A log whose entries are found without waiting. */
export interface MemoryLog extends RevocationLog {
  find(keys: readonly string[]): readonly RevocationEntry[]
}

export interface MemoryRevocations {
  readonly log: MemoryLog
  /** Removes expired ones among the oldest, of which it looks at `maxEntries`. Returns how many there were. */
  readonly removeExpired: (maxEntries: number) => number
}

/** How many more of the oldest are looked at than are recorded at a time. */
const MORE = 20

export function memoryRevocations(): MemoryRevocations {
  const entries = new Map<string, Entry>()
  const listeners = new Set<(revocation: RevocationEntry) => void>()

  function removeExpired(maxEntries: number): number {
    const now = Date.now()
    let seen = 0
    let removed = 0
    for (const [key, { until, generation }] of entries) {
      if (seen++ === maxEntries) break
      const hasExpired = until.getTime() <= now - RETENTION_MS
      // Otherwise the next generation of this key might not be higher.
      if (hasExpired && (generation === null || generation < now))
        removed += Number(entries.delete(key))
    }
    return removed
  }

  const revocationFrom = ({ key, generation, until }: Entry): RevocationEntry => ({
    key,
    generation,
    until,
  })

  return {
    removeExpired,
    log: {
      end(requested) {
        const checked = checkRevocations(requested)
        const changed = Date.now()
        const ended = checked.map(({ key, until, isGeneration, generation }) => {
          const before = entries.get(key)
          const isPartial = isGeneration && before?.generation !== null
          const entry: Entry = {
            key,
            generation: isPartial
              ? Math.max((before?.generation ?? -1) + 1, generation ?? changed)
              : null,
            until: new Date(Math.max(until, before?.until.getTime() ?? until)),
            changed,
          }
          // Moved to the end: keys that are revoked often must not stand before those that have expired.
          entries.delete(key)
          entries.set(key, entry)
          return revocationFrom(entry)
        })
        removeExpired(checked.length + MORE)
        for (const listener of listeners) ended.forEach(listener)
        return ended
      },
      find: keys =>
        keys.flatMap(key => {
          const entry = entries.get(key)
          return entry ? [revocationFrom(entry)] : []
        }),
      since(time) {
        const now = Date.now()
        const from = time?.getTime() ?? Number.NEGATIVE_INFINITY
        const isIncluded = (entry: Entry) => entry.changed >= from && entry.until.getTime() > now
        return {
          revocations: [...entries.values()].filter(isIncluded).map(revocationFrom),
          now: new Date(now),
        }
      },
      watch(onEnded, _, onListening) {
        // A new function for each watcher, since two may pass the same one.
        const listener = (revocation: RevocationEntry) => onEnded(revocation)
        listeners.add(listener)
        onListening?.()
        return () => void listeners.delete(listener)
      },
    },
  }
}
