import type { RevocationEntry } from '../../base/stores.ts'
import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'
import { EntryTable, NEVER } from './entry-table.ts'
import { HalfSipHash, type Hash64 } from './half-siphash.ts'
import { KeyFilter } from './key-filter.ts'
import { hashOfText } from './key-hash.ts'
import { closedKey } from './revocation-keys.ts'

/** A process's copy of a revocation key. */
interface CachedEntry {
  readonly generation: number | null
  /** Below this generation, tokens have ended for good, even if the store's clock is put back. */
  readonly over: number
}

/** The end of the replaced tokens of a session. */
interface Over {
  readonly generation: number
  /** When the entry ends that they were replaced by, in seconds. */
  readonly until: number
}

/** So many that a table which grows keeps nobody waiting. */
const TABLES = 256

/** The entries of the log by their keys, as many as memory allows, with a filter before them. */
export class RevocationEntries {
  readonly #tables = Array.from({ length: TABLES }, () => new EntryTable())
  readonly #over = new Map<string, Over>()
  readonly #filter = new KeyFilter()
  readonly #hash = new HalfSipHash()
  readonly #maxEntries: number
  #size = 0
  /** Whether there has ever been an entry. */
  #isUsed = false
  /** What ended before has nothing left to end, in seconds. */
  #past = 0
  /** How many tables a larger filter has the keys of, if there is one. */
  #moved = TABLES
  /** The table that is purged next. */
  #purged = 0
  /** When all tables were purged at once, in seconds. */
  #madeRoomAt = 0
  /** Until when some keys are in the filter alone, in seconds. */
  #overfullUntil = 0

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  /** Whether any key of a session may have been revoked. False is certain. */
  mayHaveAny(keys: RevocationKeys): boolean {
    return this.#isUsed && this.#filter.mayHaveAny(keys)
  }

  /** The entry of a key; null if it does not exist, and undefined if only the store can tell. */
  find(key: RevocationKey): CachedEntry | null | undefined {
    if (!this.#filter.mayHave(key)) return null
    const { text } = key
    const entry = this.#read(this.#hash.update(text))
    if (!entry) return this.#isOverfull ? undefined : null
    const over = this.#over.get(text)?.generation ?? 0
    return { generation: entry.generation === Infinity ? null : entry.generation, over }
  }

  /** The highest generation of a key that was revoked, or 0. */
  generationOf({ text }: RevocationKey): number {
    const generation = this.#read(this.#hash.update(text))?.generation ?? 0
    return generation === Infinity ? 0 : generation
  }

  /** Whether a session was closed, so that no token of it lasts; undefined if only the store can tell. */
  isClosed(session: RevocationKey): boolean | undefined {
    const isHeld = this.#read(this.#hash.update(closedKey(session))) !== null
    return isHeld || (this.#isOverfull ? undefined : false)
  }

  add({ key: text, generation: given, until: end }: RevocationEntry): void {
    // Anyone may have written a row. An odd one must not keep the others from being read.
    if (typeof text !== 'string') return
    const generation = given == null ? Infinity : Number(given)
    const until = toSeconds(new Date(end ?? Number.NaN).getTime())
    const filterHash = hashOfText(text)
    const key = this.#hash.update(text)
    const existing = this.#read(key)
    this.#filter.add(filterHash)
    this.#isUsed = true
    if (!existing && !this.#hasRoom()) {
      this.#overfullUntil = Math.max(this.#overfullUntil, until)
      return
    }
    // Messages may come in any order.
    if (generation >= (existing?.generation ?? 0)) {
      const table = this.#tableOf(key)
      this.#size -= table.size
      table.set({ key, filterHash: filterHash ?? 0, generation, until }, this.#past)
      this.#size += table.size
    }
    this.#growFilter()
  }

  /** Remembers that the replaced tokens of a session have ended. */
  setOver(key: RevocationKey, generation: number): void {
    const until = this.#read(this.#hash.update(key.text))?.until
    if (until !== undefined) this.#over.set(key.text, { generation, until })
  }

  /** Forgets entries that have nothing left to end. */
  forget(time: number): void {
    this.#past = Math.floor(time / 1000)
    for (const [key, { until }] of this.#over) if (until < this.#past) this.#over.delete(key)
    // Each time a few: what is left there counts as absent already.
    for (let count = 0; count < TABLES / 16; count++) this.#purgeNext()
  }

  get #isOverfull(): boolean {
    return this.#overfullUntil >= this.#past && this.#overfullUntil > 0
  }

  /** Whether one more entry can be held, if need be in place of those that have ended. */
  #hasRoom(): boolean {
    if (this.#size >= this.#maxEntries && this.#madeRoomAt !== this.#past) {
      this.#madeRoomAt = this.#past
      for (let count = 0; count < TABLES; count++) this.#purgeNext()
    }
    return this.#size < this.#maxEntries
  }

  #tableOf({ high }: Hash64): EntryTable {
    return this.#tables[high % TABLES] as EntryTable // there are as many
  }

  #read(key: Hash64) {
    const entry = this.#tableOf(key).find(key)
    return entry && entry.until >= this.#past ? entry : null
  }

  #purgeNext(): void {
    const table = this.#tables[this.#purged] as EntryTable // as above
    this.#purged = (this.#purged + 1) % TABLES
    this.#size -= table.size
    this.#size += table.purge(this.#past)
  }

  /** A larger filter gets the keys of one table at a time. */
  #growFilter(): void {
    if (this.#moved < TABLES) {
      this.#tables[this.#moved]?.forEachFilterHash(this.#past, hash => this.#filter.move(hash))
      if (++this.#moved === TABLES) this.#filter.finishGrowing()
      return
    }
    // A new filter would lose the keys that this one alone has.
    if (this.#isOverfull || this.#filter.hasRoomFor(this.#size)) return
    this.#filter.startGrowing(this.#size)
    this.#moved = 0
  }
}

function toSeconds(milliseconds: number): number {
  if (Number.isNaN(milliseconds)) return NEVER
  return Math.min(Math.max(Math.ceil(milliseconds / 1000), 1), NEVER)
}
