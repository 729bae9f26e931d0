import type { Revocation } from '../base/model.ts'
import type { Key, MarkClaims, Marks } from '../session/revocation.ts'
import { GRACE } from '../session/store.ts'
import { hashOfText } from './revocation-keys.ts'

/** What was ended, at hand. */
export interface EndedKeys {
  add(revocation: Revocation): void
  /**
   * Whether a session is ended; undefined if only the store can tell.
   *
   * @param time of the store, in milliseconds
   */
  has(marks: Marks, time: number): boolean | undefined
  /** Whether the token of a session was replaced, and its time is up. */
  isOutdated(marks: Marks, time: number): boolean
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
 * Whether tokens that were replaced have ended. The store makes generations from its clock, so this
 * needs no process that is still running then.
 */
export function isOver(generation: number, time: number): boolean {
  return generation + GRACE <= time
}

/** Whether a session came of a sign-in at its provider that lies before what was ended there. */
export function isEarlier({ rk }: Pick<MarkClaims, 'rk'>, generation: number | null): boolean {
  return generation === null || (rk?.at ?? 0) * 1000 < generation
}

interface Kept {
  readonly generation: number | null
  /** Below this generation, tokens have ended for good, even if the store's clock is put back. */
  readonly over: number
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
  /** Escaped names, which hardly anyone has, are looked up without the filter. */
  let hasEscaped = false
  /** Another one with each key that is added. */
  let state = {}

  function mark(key: string): void {
    state = {}
    const hash = hashOfText(key)
    if (hash === undefined) {
      hasEscaped = true
      return
    }
    const bit = hash & (filter.length * 32 - 1)
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  function mayHave(key: Key): boolean {
    const bit = key.hash & (filter.length * 32 - 1)
    return ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0 || (hasEscaped && key.isEscaped)
  }

  /** Hardly any session has a bit set. That one has none is true until another key is added. */
  function mayHaveAny(marks: Marks): boolean {
    if (marks.clearOf === state) return false
    const { session, user, provider } = marks
    const mayBe =
      (session !== null && mayHave(session)) ||
      (user !== null && mayHave(user)) ||
      (provider.length > 0 && provider.some(mayHave))
    if (!mayBe) marks.clearOf = state
    return mayBe
  }

  function resize(): void {
    if (isOverfull) return // what is in the filter alone would be lost
    while (room < kept.size * 2) room *= 2
    filter = new Uint32Array((room * BITS_PER_KEY) / 32)
    for (const key of kept.keys()) mark(key)
  }

  /** Whether all sessions of the user ended that began before a certain time, and this is one. */
  function isUserEnded({ claims, user }: Marks): boolean | undefined {
    if (!user || !mayHave(user)) return false
    const found = kept.get(user.text)
    if (!found) return isOverfull ? undefined : false
    return found.generation === null || claims.gen < found.generation
  }

  function isSessionEnded({ claims, session }: Marks, time: number): boolean | undefined {
    if (!session || !mayHave(session)) return false
    const found = kept.get(session.text)
    if (!found) return isOverfull ? undefined : false
    const { generation, over } = found
    const { rot = 0 } = claims
    if (generation === null || rot < over) return true
    if (rot >= generation || !isOver(generation, time)) return false
    kept.set(session.text, { ...found, over: generation })
    return true
  }

  /** Whether its provider has ended all that came of sign-ins up to a certain time, and this is one. */
  function isProviderEnded({ claims, provider }: Marks): boolean | undefined {
    let answer: boolean | undefined = false
    for (const key of provider) {
      const found = mayHave(key) ? kept.get(key.text) : null
      if (found && isEarlier(claims, found.generation)) return true
      if (found === undefined && isOverfull) answer = undefined
    }
    return answer
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
        mark(key)
        return
      }
      // Messages may come in any order.
      const isNews = !known || known.generation !== null
      if (isNews && (generation === null || generation >= (known?.generation ?? 0))) {
        kept.set(key, { generation, until, over: known?.over ?? 0 })
      }
      if (kept.size > room) resize()
      else mark(key)
    },
    has(marks, time) {
      if ((kept.size === 0 && !isOverfull) || !mayHaveAny(marks)) return false
      const byUser = isUserEnded(marks)
      if (byUser) return true
      const bySession = isSessionEnded(marks, time)
      const byProvider = isProviderEnded(marks)
      if (bySession || byProvider) return true
      const isKnown = byUser === false && bySession === false && byProvider === false
      return isKnown ? false : undefined
    },
    isOutdated: (marks, time) =>
      isSessionEnded(marks, time) === true &&
      kept.get(marks.session?.text ?? '')?.generation !== null,
    generationOf: key => kept.get(key.text)?.generation ?? 0,
    forget(time) {
      for (const [key, { until }] of kept) if (until < time) kept.delete(key)
    },
  }
}
