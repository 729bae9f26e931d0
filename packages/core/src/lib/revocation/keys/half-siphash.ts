/** The two halves of a 64-bit hash. The next call of {@link HalfSipHash.update} replaces them. */
interface Hash64 {
  readonly low: number
  readonly high: number
}

/**
 * HalfSipHash-2-4 of texts, with 64 bits of output: a pseudorandom function, so that an attacker who can choose names does
 * not know two that have the same hash. Texts are read as UTF-16.
 *
 * See Aumasson and Bernstein, "SipHash: a fast short-input PRF", and the reference code for the half-sized variant.
 */
export class HalfSipHash implements Hash64 {
  low = 0
  high = 0
  readonly #key: readonly [number, number]
  #v0 = 0
  #v1 = 0
  #v2 = 0
  #v3 = 0

  constructor(key: readonly [number, number] = randomKey()) {
    this.#key = key
  }

  update(text: string): this {
    this.#begin()
    const even = text.length & ~1
    for (let at = 0; at < even; at += 2) {
      this.#absorb(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16))
    }
    const rest = text.length > even ? text.charCodeAt(even) : 0
    return this.#finish(((text.length * 2) << 24) | rest)
  }

  /** The hash of as many words, as of a text of twice as many letters. */
  updateWords(one: number, two: number, three: number, four: number, five: number): this {
    this.#begin()
    this.#absorb(one)
    this.#absorb(two)
    this.#absorb(three)
    this.#absorb(four)
    this.#absorb(five)
    return this.#finish(20 << 24)
  }

  #begin(): void {
    const [k0, k1] = this.#key
    this.#v0 = k0
    this.#v1 = k1 ^ 0xee
    this.#v2 = 0x6c796765 ^ k0
    this.#v3 = 0x74656462 ^ k1
  }

  #finish(last: number): this {
    this.#absorb(last)
    this.#v2 ^= 0xee
    this.low = this.#squeeze()
    this.#v1 ^= 0xdd
    this.high = this.#squeeze()
    return this
  }

  #absorb(word: number): void {
    this.#v3 ^= word
    this.#round()
    this.#round()
    this.#v0 ^= word
  }

  #squeeze(): number {
    for (let round = 0; round < 4; round++) this.#round()
    return (this.#v1 ^ this.#v3) >>> 0
  }

  #round(): void {
    let [v0, v1, v2, v3] = [this.#v0, this.#v1, this.#v2, this.#v3]
    v0 = (v0 + v1) | 0
    v1 = rotate(v1, 5) ^ v0
    v0 = rotate(v0, 16)
    v2 = (v2 + v3) | 0
    v3 = rotate(v3, 8) ^ v2
    v0 = (v0 + v3) | 0
    v3 = rotate(v3, 7) ^ v0
    v2 = (v2 + v1) | 0
    v1 = rotate(v1, 13) ^ v2
    v2 = rotate(v2, 16)
    this.#v0 = v0
    this.#v1 = v1
    this.#v2 = v2
    this.#v3 = v3
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}

function randomKey(): readonly [number, number] {
  const [k0 = 0, k1 = 0] = crypto.getRandomValues(new Uint32Array(2))
  return [k0, k1]
}
