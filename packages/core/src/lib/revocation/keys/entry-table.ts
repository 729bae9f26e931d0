import type { EncodedKey, KeyCode } from './key-code.ts'
import { hashOfText } from './key-hash.ts'

/** An entry of the log, as a process holds it. */
export interface TableEntry {
  /** Infinity if everything is revoked. */
  readonly generation: number
  /** In whole seconds, rounded up; {@link NEVER} if the store returned no valid time. */
  readonly until: number
}

/** The end of an entry that is kept as long as the process lives. */
export const NEVER = 0xffffffff

const FIRST_CAPACITY = 8
/** Beyond it, entries are further and further from where they are looked for. */
const MAX_LOAD = 0.75
const GROWTH = 1.5
/** How many 32-bit words the digits of a key take. */
const WORDS = 4

/**
 * A hash table with open addressing, in typed arrays: 29 bytes for each place, which the garbage collector does not have to
 * look at. Keys whose form is unusual are in a map.
 */
export class EntryTable {
  /** Encodes keys again: not what has encoded the key that is added. */
  readonly #code: KeyCode
  /** How many entries of a form it has, with those that have expired since it grew. */
  #count = 0
  #capacity = 0
  #words = new Uint32Array(0)
  #forms = new Uint8Array(0)
  #generations = new Float64Array(0)
  /** 0 for a place that is free. */
  #until = new Uint32Array(0)
  readonly #others = new Map<string, TableEntry>()

  constructor(code: KeyCode) {
    this.#code = code
  }

  /** How many entries it holds, with those that have expired and were not purged yet. */
  get size(): number {
    return this.#count + this.#others.size
  }

  find(key: EncodedKey): TableEntry | null {
    if (key.form === 0) return this.#others.get(key.text) ?? null
    if (this.#count === 0) return null
    const at = this.#placeOf(key)
    const until = this.#until[at] ?? 0
    return until === 0 ? null : { generation: this.#generations[at] ?? 0, until }
  }

  /**
   * Adds an entry, or replaces it.
   *
   * @param time in seconds: what ended before is left out if the table has to grow
   */
  set(key: EncodedKey, generation: number, until: number, time: number): void {
    if (key.form === 0) {
      this.#others.set(key.text, { generation, until })
      return
    }
    if (this.#count >= this.#capacity * MAX_LOAD) this.#grow(time)
    this.#put(key, generation, until)
  }

  /** Leaves out what ended before that time, in seconds. */
  purge(time: number): void {
    for (const [text, { until }] of this.#others) if (until < time) this.#others.delete(text)
    if (this.#countExpired(time) > 0) this.#rehash(this.#capacity, time)
  }

  /** Calls back for the entries that have not ended before that time, with their keys as text. */
  forEach(time: number, use: (text: string, generation: number, until: number) => void): void {
    for (const [text, { generation, until }] of this.#others) {
      if (until >= time) use(text, generation, until)
    }
    for (let at = 0; at < this.#capacity; at++) {
      const until = this.#until[at] ?? 0
      if (until === 0 || until < time) continue
      use(this.#textAt(at), this.#generations[at] ?? 0, until)
    }
  }

  /** Calls back with what the keys of the same entries set in the filter; undefined for an escaped name. */
  forEachHash(time: number, use: (hash: number | undefined) => void): void {
    for (const [text, { until }] of this.#others) if (until >= time) use(hashOfText(text))
    for (let at = 0; at < this.#capacity; at++) {
      const until = this.#until[at] ?? 0
      if (until === 0 || until < time) continue
      const [form, word0] = [this.#forms[at] ?? 0, this.#words[at * WORDS] ?? 0]
      const word3 = this.#words[at * WORDS + 3] ?? 0
      use(this.#code.filterHashOf(form, word0, word3, () => this.#textAt(at)))
    }
  }

  #put(key: EncodedKey, generation: number, until: number): void {
    const at = this.#placeOf(key)
    if (this.#until[at] === 0) this.#count++
    this.#words[at * WORDS] = key.word0
    this.#words[at * WORDS + 1] = key.word1
    this.#words[at * WORDS + 2] = key.word2
    this.#words[at * WORDS + 3] = key.word3
    this.#forms[at] = key.form
    this.#generations[at] = generation
    this.#until[at] = until
  }

  #textAt(at: number): string {
    const words = this.#words
    const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = words.subarray(at * WORDS, at * WORDS + WORDS)
    return this.#code.textOf(this.#forms[at] ?? 0, w0, w1, w2, w3)
  }

  /** The place of a key, or the free one where it would stand. */
  #placeOf(key: EncodedKey): number {
    let at = Math.floor(key.place * this.#capacity)
    while (this.#until[at] !== 0) {
      if (this.#isAt(at, key)) return at
      at = at + 1 === this.#capacity ? 0 : at + 1
    }
    return at
  }

  #isAt(at: number, { form, word0, word1, word2, word3 }: EncodedKey): boolean {
    return (
      this.#words[at * WORDS] === word0 &&
      this.#words[at * WORDS + 1] === word1 &&
      this.#words[at * WORDS + 2] === word2 &&
      this.#words[at * WORDS + 3] === word3 &&
      this.#forms[at] === form
    )
  }

  #grow(time: number): void {
    const isMostlyLive = this.#count - this.#countExpired(time) > this.#capacity * (MAX_LOAD / 2)
    const capacity = isMostlyLive ? Math.ceil(this.#capacity * GROWTH) : this.#capacity
    this.#rehash(Math.max(capacity, FIRST_CAPACITY), time)
  }

  #countExpired(time: number): number {
    let expired = 0
    for (let at = 0; at < this.#capacity; at++) {
      const until = this.#until[at] ?? 0
      if (until !== 0 && until < time) expired++
    }
    return expired
  }

  #rehash(capacity: number, time: number): void {
    const [words, forms, generations, ends] = [
      this.#words,
      this.#forms,
      this.#generations,
      this.#until,
    ]
    this.#count = 0
    this.#capacity = capacity
    this.#words = new Uint32Array(capacity * WORDS)
    this.#forms = new Uint8Array(capacity)
    this.#generations = new Float64Array(capacity)
    this.#until = new Uint32Array(capacity)
    // By index, and one object for all: there may be millions.
    for (let at = 0; at < ends.length; at++) {
      const until = ends[at] ?? 0
      if (until === 0 || until < time) continue
      const word = at * WORDS
      const [one = 0, two = 0] = [words[word], words[word + 1]]
      const [three = 0, four = 0] = [words[word + 2], words[word + 3]]
      const key = this.#code.recode(forms[at] ?? 0, one, two, three, four)
      this.#put(key, generations[at] ?? 0, until)
    }
  }
}
