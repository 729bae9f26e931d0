import type { RevocationKey, RevocationKeys } from '../../session/revocation.ts'
import { hashOfText } from './key-hash.ts'

/** One lookup in so many goes on for nothing. */
const BITS_PER_KEY = 16

/**
 * Tells from one word of memory that a key was not revoked, which is so for nearly every session. A large
 * map needs several words from anywhere.
 */
export class KeyFilter {
  #bits = new Uint32Array(8)
  /** How many keys the filter has room for. */
  #room = this.#bits.length * (32 / BITS_PER_KEY)
  /** Escaped names are so rare that they are looked up without the filter. */
  #hasEscaped = false
  /** A new object with each key that is added. */
  #state: object = {}

  hasRoomFor(count: number): boolean {
    return count <= this.#room
  }

  add(key: string): void {
    this.#state = {}
    const hash = hashOfText(key)
    if (hash === undefined) {
      this.#hasEscaped = true
      return
    }
    const bits = this.#bits
    const bit = hash & (bits.length * 32 - 1)
    bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  /** Starts again with these keys, and room for as many more. */
  rebuild(keys: Iterable<string>, count: number): void {
    while (this.#room < count * 2) this.#room *= 2
    this.#bits = new Uint32Array((this.#room * BITS_PER_KEY) / 32)
    for (const key of keys) this.add(key)
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
