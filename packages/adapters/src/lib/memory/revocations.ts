import type { Revocation, RevocationLog } from '@siteauth/core/adapters'
import { checkEndings, KEPT_AFTER_MS } from '../revocations/endings.ts'

interface Entry extends Revocation {
  readonly changed: number
}

/**
 * A log in this process, and how to forget what is over: so many at most. Returns how many it was.
 */
export interface MemoryRevocations {
  readonly log: RevocationLog
  readonly removeExpired: (atMost: number) => number
}

/** How many of the oldest are looked at whenever something is ended. */
const BATCH = 20

export function createMemoryRevocations(): MemoryRevocations {
  const entries = new Map<string, Entry>()
  const listeners = new Set<(revocation: Revocation) => void>()

  function removeExpired(atMost: number): number {
    const now = Date.now()
    let looked = 0
    let removed = 0
    for (const [key, { until, generation }] of entries) {
      if (looked++ === atMost) break
      const isOver = until.getTime() <= now - KEPT_AFTER_MS
      // Else the next generation of this key might not be higher.
      if (isOver && (generation === null || generation < now))
        removed += Number(entries.delete(key))
    }
    return removed
  }

  const answer = ({ key, generation, until }: Entry): Revocation => ({ key, generation, until })

  return {
    removeExpired,
    log: {
      end(endings) {
        const checked = checkEndings(endings)
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
          // To the end: what is ended over and over must not stand before what can be forgotten.
          entries.delete(key)
          entries.set(key, entry)
          return answer(entry)
        })
        removeExpired(BATCH)
        for (const listener of listeners) ended.forEach(listener)
        return ended
      },
      find: keys =>
        keys.flatMap(key => {
          const entry = entries.get(key)
          return entry ? [answer(entry)] : []
        }),
      since(time) {
        const now = Date.now()
        const from = time?.getTime() ?? Number.NEGATIVE_INFINITY
        const isAsked = (entry: Entry) => entry.changed >= from && entry.until.getTime() > now
        return {
          revocations: [...entries.values()].filter(isAsked).map(answer),
          now: new Date(now),
        }
      },
      watch(onEnded) {
        // Another function for each, though two may give the same.
        const listener = (revocation: Revocation) => onEnded(revocation)
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  }
}
