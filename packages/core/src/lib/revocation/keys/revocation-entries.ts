import type { RevocationEntry } from '../../base/stores.ts'
import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'
import { EntryTable, NEVER } from './entry-table.ts'
import { type EncodedKey, KeyCode } from './key-code.ts'
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

/** So many that a table which grows keeps nobody waiting, also with as many entries as are held at most. */
const TABLES = 1024
/** How many tables are purged when entries are forgotten: what is left in the others counts as absent already. */
const PURGED = 64
/** How many entries may be purged before requests have a turn. */
const MAX_PURGED = 4000
/** How many keys the next filter gets at a time at least: a small log is in few tables, or a little in each. */
const MIN_MOVED = 64

/** The entries of the log by their keys, as many as memory allows, with a filter before them. */
export class RevocationEntries {
  readonly #code = new KeyCode()
  /** Encodes keys of tables again, while the other one holds the key that is added. */
  readonly #recode = new KeyCode(this.#code)
  /** Each is made for its first entry: most processes hold few, and each configuration has its own. */
  readonly #tables: (EntryTable | undefined)[] = Array.from({ length: TABLES })
  readonly #over = new Map<string, Over>()
  readonly #filter = new KeyFilter()
  readonly #maxEntries: number
  #size = 0
  /** Whether there has ever been an entry. */
  #isUsed = false
  #past = 0
  /** How many tables the next filter has the keys of, if there is one. */
  #moved = TABLES
  /** The table that is purged next. */
  #purged = 0
  /** How many tables were purged in search of room since {@link #past} has changed. */
  #searched = 0
  /** Until when some keys are in the filter alone, in seconds. */
  #overfullUntil = 0
  #left = 0

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
    const entry = this.#read(text)
    if (!entry) return this.#isOverfull ? undefined : null
    const over = this.#over.get(text)?.generation ?? 0
    return { generation: entry.generation === Infinity ? null : entry.generation, over }
  }

  /** The highest generation of a key that was revoked, or 0. */
  generationOf({ text }: RevocationKey): number {
    const generation = this.#read(text)?.generation ?? 0
    return generation === Infinity ? 0 : generation
  }

  /** Whether a session was closed, so that no token of it lasts; undefined if only the store can tell. */
  isClosed(session: RevocationKey): boolean | undefined {
    const isHeld = this.#read(closedKey(session)) !== null
    return isHeld || (this.#isOverfull ? undefined : false)
  }

  add({ key: text, generation: given, until: end }: RevocationEntry): void {
    // Anyone may have written a row. An odd one must not keep the others from being read.
    if (typeof text !== 'string') return
    const generation = given == null ? Infinity : Number(given)
    const until = toSeconds(new Date(end ?? Number.NaN).getTime())
    const existing = this.#read(text)
    this.#filter.add(hashOfText(text), existing === null)
    this.#isUsed = true
    if (!existing && !this.#hasRoom()) {
      this.#overfullUntil = Math.max(this.#overfullUntil, until)
      this.#left++
      return
    }
    // Messages may come in any order.
    if (generation >= (existing?.generation ?? 0)) {
      const key = this.#code.encode(text, true)
      const table = this.#ownTableOf(key)
      this.#size -= table.size
      table.set(key, generation, until, this.#past)
      this.#size += table.size
    }
    this.#rebuildFilter()
  }

  /** Remembers that the replaced tokens of a session have ended. */
  setOver(key: RevocationKey, generation: number): void {
    const until = this.#read(key.text)?.until
    if (until !== undefined) this.#over.set(key.text, { generation, until })
  }

  /** Forgets entries that have nothing left to end: at once what has to be compared, and then their memory, a part each time. */
  async forget(time: number): Promise<void> {
    const past = Math.floor(time / 1000)
    if (past !== this.#past) this.#searched = 0
    this.#past = past
    for (const [key, { until }] of this.#over) if (until < past) this.#over.delete(key)
    let purged = 0
    for (let count = 0; count < PURGED; count++) {
      purged += this.#purgeNext()
      this.#rebuildFilter()
      if (purged < MAX_PURGED) continue
      purged = 0
      await new Promise(resolve => setTimeout(resolve))
    }
  }

  /** What is held and has not ended, table by table. */
  *held(): Iterable<readonly RevocationEntry[]> {
    for (const table of this.#tables) {
      if (!table) continue
      const entries: RevocationEntry[] = []
      table.forEach(this.#past, (key, given, until) => {
        const generation = given === Infinity ? null : given
        entries.push({ key, generation, until: new Date(until * 1000) })
      })
      if (entries.length > 0) yield entries
    }
  }

  /** What ended before has nothing left to end, in seconds. */
  get past(): number {
    return this.#past
  }

  /** How many keys were left to the filter alone so far. */
  get left(): number {
    return this.#left
  }

  get #isOverfull(): boolean {
    return this.#overfullUntil >= this.#past && this.#overfullUntil > 0
  }

  /** Whether one more entry can be held, if need be in place of those that have ended. For these, a few tables are searched. */
  #hasRoom(): boolean {
    let purged = 0
    while (this.#size >= this.#maxEntries && this.#searched < TABLES && purged < MAX_PURGED) {
      this.#searched++
      purged += this.#purgeNext()
    }
    return this.#size < this.#maxEntries
  }

  #ownTableOf({ high }: EncodedKey): EntryTable {
    this.#tables[high % TABLES] ??= new EntryTable(this.#recode)
    return this.#tables[high % TABLES] as EntryTable // the line above has made it
  }

  #read(text: string) {
    const key = this.#code.encode(text, false)
    const entry = this.#tables[key.high % TABLES]?.find(key)
    return entry && entry.until >= this.#past ? entry : null
  }

  /** Returns how many entries it looked at. */
  #purgeNext(): number {
    const table = this.#tables[this.#purged]
    this.#purged = (this.#purged + 1) % TABLES
    if (!table) return 0
    const { size } = table
    table.purge(this.#past)
    this.#size += table.size - size
    return size
  }

  /** Another filter, without the keys that were forgotten, gets the keys of a few tables at a time. */
  #rebuildFilter(): void {
    if (this.#moved < TABLES) {
      this.#moveTables()
      return
    }
    // A new filter would lose the keys that this one alone has.
    if (this.#isOverfull || !this.#filter.isCrowded(this.#size)) return
    this.#filter.startRebuild(this.#size)
    this.#moved = 0
  }

  #moveTables(): void {
    let keys = 0
    for (; this.#moved < TABLES && keys < MIN_MOVED; this.#moved++) {
      const table = this.#tables[this.#moved]
      if (!table) continue
      keys += table.size
      table.forEachHash(this.#past, hash => this.#filter.move(hash))
    }
    if (this.#moved === TABLES) this.#filter.finishRebuild()
  }
}

function toSeconds(milliseconds: number): number {
  if (Number.isNaN(milliseconds)) return NEVER
  return Math.min(Math.max(Math.ceil(milliseconds / 1000), 1), NEVER)
}
