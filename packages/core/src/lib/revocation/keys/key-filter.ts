import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'

/** One lookup in so many goes on for nothing. */
const BITS_PER_KEY = 16
const FIRST_WORDS = 8
/** Of so few bits, those of keys that were forgotten do no harm. */
const MAX_LEFT = 4

/**
 * Tells from one word of memory that a key was not revoked, which is so for nearly every session. A large
 * table needs several words from anywhere.
 */
export class KeyFilter {
  #bits: Uint32Array = new Uint32Array(FIRST_WORDS)
  /** What takes its place once it has the bits of all keys. */
  #next: Uint32Array | null = null
  /** How many keys were added to the bits, also those that were forgotten since. */
  #count = 0
  /** The same of the bits that take their place. */
  #nextCount = 0
  /** Escaped names are so rare that they are looked up without the filter. */
  #hasEscaped = false
  /** A new object with each key that is added. */
  #state: object = {}

  /**
   * Whether too many bits are set.
   *
   * @param held how many keys are left of those that were added
   */
  isCrowded(held: number): boolean {
    const capacity = capacityOf(this.#bits)
    return this.#count > capacity || (this.#count > 2 * held && this.#count > capacity / MAX_LEFT)
  }

  /**
   * @param hash that of the key; undefined if its name was escaped
   * @param isNew false if the same key was added before
   */
  add(hash: number | undefined, isNew: boolean): void {
    this.#state = {}
    if (hash === undefined) {
      this.#hasEscaped = true
      return
    }
    setBit(this.#bits, hash)
    if (this.#next) setBit(this.#next, hash)
    if (!isNew) return
    this.#count++
    this.#nextCount++
  }

  /** Begins with another set of bits, for twice as many keys: from now on, keys are added to it as well. */
  startRebuild(held: number): void {
    let length = FIRST_WORDS
    while (length * (32 / BITS_PER_KEY) < held * 2) length *= 2
    this.#next = new Uint32Array(length)
    this.#nextCount = 0
  }

  /** Adds a key to the next set of bits that is in this one. */
  move(hash: number | undefined): void {
    if (!this.#next || hash === undefined) return
    setBit(this.#next, hash)
    this.#nextCount++
  }

  /** The next set of bits has all keys. */
  finishRebuild(): void {
    this.#bits = this.#next ?? this.#bits
    this.#count = this.#nextCount
    this.#next = null
  }

  mayHave(key: RevocationKey): boolean {
    const bits = this.#bits
    const bit = key.hash & (bits.length * 32 - 1)
    return ((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0 || (this.#hasEscaped && key.isEscaped)
  }

  /** A session that has no bit set has none until another key is added, so it remembers that. */
  mayHaveAny(sessionKeys: RevocationKeys): boolean {
    if (sessionKeys.notRevokedIn === this.#state) return false
    const { session, user, sharedUser, token, provider } = sessionKeys
    const mayHave =
      (session !== null && this.mayHave(session)) ||
      (user !== null && this.mayHave(user)) ||
      (sharedUser !== null && this.mayHave(sharedUser)) ||
      (token !== null && this.mayHave(token)) ||
      (provider.length > 0 && this.#mayHaveOneOf(provider))
    if (!mayHave) sessionKeys.notRevokedIn = this.#state
    return mayHave
  }

  // A loop, since this runs for every session and a callback would be made each time.
  #mayHaveOneOf(keys: readonly RevocationKey[]): boolean {
    for (const key of keys) if (this.mayHave(key)) return true
    return false
  }
}

function capacityOf(bits: Uint32Array): number {
  return bits.length * (32 / BITS_PER_KEY)
}

function setBit(bits: Uint32Array, hash: number): void {
  const bit = hash & (bits.length * 32 - 1)
  bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
}
