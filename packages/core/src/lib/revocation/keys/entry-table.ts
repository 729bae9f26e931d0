import type { Hash64 } from './half-siphash.ts'

/** An entry of the log, as a process holds it. */
export interface TableEntry {
  /** Infinity if everything is revoked. */
  readonly generation: number
  /** In whole seconds, rounded up; {@link NEVER} if the store returned no valid time. */
  readonly until: number
}

/** An entry with its key: the hash of the key, and the word of the filter that it sets. */
interface HashedEntry extends TableEntry {
  readonly key: Hash64
  readonly filterHash: number
}

/** The end of an entry that is kept as long as the process lives. */
export const NEVER = 0xffffffff

const FIRST_CAPACITY = 8
/** Beyond it, entries are further and further from where they are looked for. */
const MAX_LOAD = 0.75
const GROWTH = 1.5
/** How many 32-bit words a key takes: its hash, and that of the filter. */
const WORDS = 3

/**
 * A hash table with open addressing, in typed arrays: 24 bytes for each place, which the garbage collector does not have to
 * look at.
 */
export class EntryTable {
  /** How many entries it holds, with those that have expired since it grew. */
  size = 0
  #capacity = 0
  #keys = new Uint32Array(0)
  #generations = new Float64Array(0)
  /** 0 for a place that is free. */
  #until = new Uint32Array(0)

  find(key: Hash64): TableEntry | null {
    if (this.size === 0) return null
    const at = this.#placeOf(key)
    const until = this.#until[at] ?? 0
    return until === 0 ? null : { generation: this.#generations[at] ?? 0, until }
  }

  /**
   * Adds an entry, or replaces it.
   *
   * @param time in seconds: what ended before is left out if the table has to grow
   */
  set(entry: HashedEntry, time: number): void {
    if (this.size >= this.#capacity * MAX_LOAD) this.#grow(time)
    this.#put(entry)
  }

  /** Leaves out what ended before that time, in seconds. Returns how many entries remain. */
  purge(time: number): number {
    if (this.#until.some(until => until !== 0 && until < time)) this.#rehash(this.#capacity, time)
    return this.size
  }

  /** Calls back for the entries that have not ended before that time, with the word of the filter that they set. */
  forEachFilterHash(time: number, use: (hash: number) => void): void {
    for (let at = 0; at < this.#capacity; at++) {
      if ((this.#until[at] ?? 0) >= time && this.#until[at] !== 0) {
        use(this.#keys[at * WORDS + 2] ?? 0)
      }
    }
  }

  #put({ key, filterHash, generation, until }: HashedEntry): void {
    const at = this.#placeOf(key)
    if (this.#until[at] === 0) this.size++
    this.#keys[at * WORDS] = key.low
    this.#keys[at * WORDS + 1] = key.high
    this.#keys[at * WORDS + 2] = filterHash
    this.#generations[at] = generation
    this.#until[at] = until
  }

  /** The place of a key, or the free one where it would stand. */
  #placeOf({ low, high }: Hash64): number {
    let at = Math.floor((low / 0x1_0000_0000) * this.#capacity)
    while (this.#until[at] !== 0) {
      if (this.#keys[at * WORDS] === low && this.#keys[at * WORDS + 1] === high) return at
      at = at + 1 === this.#capacity ? 0 : at + 1
    }
    return at
  }

  #grow(time: number): void {
    let expired = 0
    for (const until of this.#until) if (until !== 0 && until < time) expired++
    const isMostlyLive = this.size - expired > this.#capacity * (MAX_LOAD / 2)
    const capacity = isMostlyLive ? Math.ceil(this.#capacity * GROWTH) : this.#capacity
    this.#rehash(Math.max(capacity, FIRST_CAPACITY), time)
  }

  #rehash(capacity: number, time: number): void {
    const [keys, generations, ends] = [this.#keys, this.#generations, this.#until]
    this.size = 0
    this.#capacity = capacity
    this.#keys = new Uint32Array(capacity * WORDS)
    this.#generations = new Float64Array(capacity)
    this.#until = new Uint32Array(capacity)
    const entry = { key: { low: 0, high: 0 }, filterHash: 0, generation: 0, until: 0 }
    // One object for all, and no iterators: there may be millions.
    for (let at = 0; at < ends.length; at++) {
      entry.until = ends[at] ?? 0
      if (entry.until === 0 || entry.until < time) continue
      entry.key.low = keys[at * WORDS] ?? 0
      entry.key.high = keys[at * WORDS + 1] ?? 0
      entry.filterHash = keys[at * WORDS + 2] ?? 0
      entry.generation = generations[at] ?? 0
      this.#put(entry)
    }
  }
}
