import type { RevocationEntry } from '../../base/stores.ts'
import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'
import { KeyFilter } from './key-filter.ts'
import { closedKey } from './revocation-keys.ts'

/** A process's copy of a revocation key. */
interface CachedEntry {
  readonly generation: number | null
  /** Below this generation, tokens have ended for good, even if the store's clock is put back. */
  readonly over: number
  /** In milliseconds; NaN, which never comes, if the store returned no valid time. */
  readonly until: number
}

/** The entries of the log by their keys, as many as memory allows, with a filter before them. */
export class RevocationEntries {
  readonly #entries = new Map<string, CachedEntry>()
  readonly #filter = new KeyFilter()
  readonly #maxEntries: number
  /** Whether some keys are in the filter alone. */
  #isOverfull = false

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  /** Whether any key of a session may have been revoked. False is certain. */
  mayHaveAny(keys: RevocationKeys): boolean {
    if (this.#entries.size === 0 && !this.#isOverfull) return false
    return this.#filter.mayHaveAny(keys)
  }

  /** The entry of a key; null if it does not exist, and undefined if only the store can tell. */
  find(key: RevocationKey): CachedEntry | null | undefined {
    if (!this.#filter.mayHave(key)) return null
    return this.#entries.get(key.text) ?? (this.#isOverfull ? undefined : null)
  }

  /** The highest generation of a key that was revoked, or 0. */
  generationOf(key: RevocationKey): number {
    return this.#entries.get(key.text)?.generation ?? 0
  }

  /** Whether a session was closed, so that no token of it lasts; undefined if only the store can tell. */
  isClosed(session: RevocationKey): boolean | undefined {
    return this.#entries.has(closedKey(session)) || (this.#isOverfull ? undefined : false)
  }

  add(revocation: RevocationEntry): void {
    const { key } = revocation
    // Anyone may have written a row. An odd one must not keep the others from being read.
    if (typeof key !== 'string') return
    const generation = revocation.generation == null ? null : Number(revocation.generation)
    const until = new Date(revocation.until ?? Number.NaN).getTime()
    const existing = this.#entries.get(key)
    if (!existing && this.#entries.size >= this.#maxEntries) {
      this.#isOverfull = true
      this.#filter.add(key)
      return
    }
    // Messages may come in any order.
    const isNews = !existing || existing.generation !== null
    if (isNews && (generation === null || generation >= (existing?.generation ?? 0))) {
      this.#entries.set(key, { generation, until, over: existing?.over ?? 0 })
    }
    this.#addToFilter(key)
  }

  /** Remembers that the replaced tokens of a session have ended. */
  setOver(key: RevocationKey, entry: CachedEntry, over: number): void {
    this.#entries.set(key.text, { ...entry, over })
  }

  /** Forgets entries that have nothing left to end. */
  forget(time: number): void {
    for (const [key, { until }] of this.#entries) if (until < time) this.#entries.delete(key)
  }

  #addToFilter(key: string): void {
    // A rebuilt filter would lose the keys that it alone has.
    if (this.#isOverfull || this.#filter.hasRoomFor(this.#entries.size)) this.#filter.add(key)
    else this.#filter.rebuild(this.#entries.keys(), this.#entries.size)
  }
}
