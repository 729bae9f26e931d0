import { HalfSipHash } from './half-siphash.ts'
import { hashOfDigits, hashOfText } from './key-hash.ts'

/** A key as tables hold it: its 128 bits if it has the form of one with 32 hexadecimal digits, and its text otherwise. */
export interface EncodedKey {
  readonly text: string
  /** What is around the digits; 0 if it has another form. */
  readonly form: number
  readonly word0: number
  readonly word1: number
  readonly word2: number
  readonly word3: number
  /** Where it stands in its table, between 0 and 1. Of no meaning for other forms. */
  readonly place: number
  /** Decides which table it is in. */
  readonly high: number
}

/** Where the digits of a key begin, behind its kind, and where they end. */
const [BEGIN, END] = [2, 34]
/** A form takes one byte. Applications have as many as kinds of keys, times the audiences. */
const MAX_FORMS = 255
/** What follows the digits is the tag of an audience, at most. */
const MAX_LENGTH = 64

/** Encodes keys. Each call replaces what the one before has returned. */
export class KeyCode implements EncodedKey {
  text = ''
  form = 0
  word0 = 0
  word1 = 0
  word2 = 0
  word3 = 0
  place = 0
  high = 0
  readonly #hash: HalfSipHash
  readonly #forms: string[]
  readonly #byAround: Map<string, number>

  /** @param like what has encoded the keys that this one has to read */
  constructor(like?: KeyCode) {
    this.#hash = like ? like.#hash : new HalfSipHash()
    this.#forms = like ? like.#forms : ['']
    this.#byAround = like ? like.#byAround : new Map()
  }

  /** @param isNew whether a key may have a form that none had before */
  encode(text: string, isNew: boolean): this {
    this.text = text
    this.form = this.#isHex(text) ? this.#formOf(text, isNew) : 0
    if (this.form === 0) this.high = this.#hash.update(text).high
    else this.#setPlace()
    return this
  }

  /** Encodes a key again by its 128 bits. */
  recode(form: number, word0: number, word1: number, word2: number, word3: number): this {
    this.form = form
    this.word0 = word0
    this.word1 = word1
    this.word2 = word2
    this.word3 = word3
    this.#setPlace()
    return this
  }

  /** The text of a key of a form. */
  textOf(form: number, word0: number, word1: number, word2: number, word3: number): string {
    const around = this.#forms[form] ?? ''
    const digits = hex(word0) + hex(word1) + hex(word2) + hex(word3)
    return around.slice(0, BEGIN) + digits + around.slice(BEGIN)
  }

  /** The hash of a key of a form in the filter; undefined if its name was escaped. */
  filterHashOf(
    form: number,
    word0: number,
    word3: number,
    textOf: () => string,
  ): number | undefined {
    const around = this.#forms[form] ?? ''
    const kind = around.charCodeAt(0)
    if (around.length === BEGIN) return hashOfDigits(kind, word0, word3, END - BEGIN)
    if (around.length < BEGIN + 8 || around.includes('%')) return hashOfText(textOf())
    return hashOfDigits(kind, word0, around, END - 2 * BEGIN + around.length)
  }

  #setPlace(): void {
    const { form, word0, word1, word2, word3 } = this
    const { low, high } = this.#hash.updateWords(form, word0, word1, word2, word3)
    this.place = low / 0x1_0000_0000
    this.high = high
  }

  #formOf(text: string, isNew: boolean): number {
    const around =
      text.length === END ? text.slice(0, BEGIN) : text.slice(0, BEGIN) + text.slice(END)
    const existing = this.#byAround.get(around)
    if (existing !== undefined) return existing
    if (!isNew || this.#forms.length > MAX_FORMS) return 0
    this.#byAround.set(around, this.#forms.push(around) - 1)
    return this.#forms.length - 1
  }

  #isHex(text: string): boolean {
    if (text.length < END || text.length > MAX_LENGTH) return false
    const word0 = wordAt(text, BEGIN)
    const word1 = wordAt(text, BEGIN + 8)
    const word2 = wordAt(text, BEGIN + 16)
    const word3 = wordAt(text, BEGIN + 24)
    if (word0 < 0 || word1 < 0 || word2 < 0 || word3 < 0) return false
    this.word0 = word0
    this.word1 = word1
    this.word2 = word2
    this.word3 = word3
    return true
  }
}

/** The value of eight lower-case hexadecimal digits; -1 if other letters are among them. */
function wordAt(text: string, begin: number): number {
  let word = 0
  for (let at = begin; at < begin + 8; at++) {
    const code = text.charCodeAt(at)
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1
    if (digit < 0) return -1
    word = word * 16 + digit
  }
  return word
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}
