import type { Revocation } from '../base/model.ts'
import type { Key, Marks } from '../session/endings.ts'
import { GRACE } from '../session/store.ts'
import { hashOf, spareKey } from './marks.ts'

/** What was ended, at hand. */
export interface EndedKeys {
  add(revocation: Revocation): void
  /**
   * Whether a session is ended; undefined if only the store can tell.
   *
   * @param time of the store, in milliseconds
   */
  has(marks: Marks, time: number): boolean | undefined
  /** The highest generation of a key that was ended, or 0. */
  generationOf(key: Key): number
  /** Forgets what has nothing left to end. */
  forget(time: number): void
}

/** Beyond this, only what lies within the filter is known, and the store is asked about it. */
const MOST_KEPT = 500_000

/** Bits of the filter per key: one in so many lookups goes on for nothing. */
const BITS_PER_KEY = 16

/**
 * Whether a session that was replaced has ended. It has a generation, which the store made from the
 * time, so its end needs no process that is still there when it comes.
 */
export function isOver(replaced: number, time: number): boolean {
  return replaced + GRACE <= time
}

interface Kept {
  readonly generation: number | null
  /** In milliseconds; NaN, which never comes, where the store said nothing that is a time. */
  readonly until: number
}

/**
 * Keeps keys in a map, with a filter before it. Hardly any session that is looked up was ended, and the
 * filter says so from one word of memory, where a large map needs several from anywhere.
 *
 * @param mostKept how many keys are held; for tests
 */
export function createEndedKeys(mostKept: number = MOST_KEPT): EndedKeys {
  const kept = new Map<string, Kept>()
  let filter = new Uint32Array(8)
  /** How many keys the filter has room for. */
  let room = filter.length * (32 / BITS_PER_KEY)
  let isOverfull = false

  function mark(hash: number): void {
    const bit = hash & (filter.length * 32 - 1)
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  function mayHave({ hash }: Key): boolean {
    const bit = hash & (filter.length * 32 - 1)
    return ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }

  function resize(): void {
    if (isOverfull) return // what is in the filter alone would be lost
    while (room < kept.size * 2) room *= 2
    filter = new Uint32Array((room * BITS_PER_KEY) / 32)
    for (const key of kept.keys()) mark(hashOf(key))
  }

  /** By what a key is ended; 0 if it is not, undefined if only the store can tell. */
  function find(key: Key | null): number | null | undefined {
    if (!key || !mayHave(key)) return 0
    const found = kept.get(key.text)
    return found ? found.generation : isOverfull ? undefined : 0
  }

  /** Whether a session goes with all others of its user. One that ended them goes on. */
  function goesWithUser({ claims, session, user }: Marks): boolean | undefined {
    const upTo = find(user)
    if (upTo === undefined) return undefined
    if (upTo !== null && claims.gen >= upTo) return false
    if (!session || upTo === null) return true
    const spared = kept.get(spareKey(session.text))
    return spared || !isOverfull ? (spared?.generation ?? 0) < upTo : undefined
  }

  function isSessionEnded(session: Key | null, time: number): boolean | undefined {
    const replaced = find(session)
    if (replaced === undefined) return undefined
    if (replaced === null) return true
    if (!session || !replaced || !isOver(replaced, time)) return false
    // For good, even if the clock of the store is put back.
    kept.set(session.text, { generation: null, until: kept.get(session.text)?.until ?? time })
    return true
  }

  return {
    add(revocation) {
      const { key } = revocation
      // Rows may be of anyone's making. One that is odd must not keep the others from being read.
      if (typeof key !== 'string') return
      const generation = revocation.generation == null ? null : Number(revocation.generation)
      const until = new Date(revocation.until ?? Number.NaN).getTime()
      const known = kept.get(key)
      if (!known && kept.size >= mostKept) {
        isOverfull = true
        mark(hashOf(key))
        return
      }
      // Messages may come in any order.
      const isNews = !known || known.generation !== null
      if (isNews && (generation === null || generation >= (known?.generation ?? 0))) {
        kept.set(key, { generation, until })
      }
      if (kept.size > room) resize()
      else mark(hashOf(key))
    },
    has(marks, time) {
      if (kept.size === 0 && !isOverfull) return false
      const byUser = goesWithUser(marks)
      if (byUser) return true
      const bySession = isSessionEnded(marks.session, time)
      return bySession || (byUser === undefined ? undefined : bySession)
    },
    generationOf: key => kept.get(key.text)?.generation ?? 0,
    forget(time) {
      for (const [key, { until }] of kept) if (until < time) kept.delete(key)
    },
  }
}
