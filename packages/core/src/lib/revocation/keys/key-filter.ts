import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'

/** One lookup in so many goes on for nothing. */
const BITS_PER_KEY = 16
const FIRST_WORDS = 8

/**
 * Tells from one word of memory that a key was not revoked, which is so for nearly every session. A large
 * table needs several words from anywhere.
 */
export class KeyFilter {
  #bits: Uint32Array = new Uint32Array(FIRST_WORDS)
  /** What takes its place once it has the bits of all keys. */
  #next: Uint32Array | null = null
  /** Escaped names are so rare that they are looked up without the filter. */
  #hasEscaped = false
  /** A new object with each key that is added. */
  #state: object = {}

  hasRoomFor(count: number): boolean {
    return count <= (this.#next ?? this.#bits).length * (32 / BITS_PER_KEY)
  }

  /** @param hash that of the key; undefined if its name was escaped */
  add(hash: number | undefined): void {
    this.#state = {}
    if (hash === undefined) {
      this.#hasEscaped = true
      return
    }
    setBit(this.#bits, hash)
    if (this.#next) setBit(this.#next, hash)
  }

  /** Begins to grow: from now on, keys are added to the larger filter as well. */
  startGrowing(count: number): void {
    let { length } = this.#bits
    while (length * (32 / BITS_PER_KEY) < count * 2) length *= 2
    this.#next = new Uint32Array(length)
  }

  /** Adds a key to the larger filter that is in this one. */
  move(hash: number): void {
    if (this.#next) setBit(this.#next, hash)
  }

  /** The larger filter has all keys. */
  finishGrowing(): void {
    this.#bits = this.#next ?? this.#bits
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

function setBit(bits: Uint32Array, hash: number): void {
  const bit = hash & (bits.length * 32 - 1)
  bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
}
