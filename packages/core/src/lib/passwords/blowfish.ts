/** The state of the cipher: eighteen words, then four boxes of 256. */
export interface Blowfish {
  readonly p: Uint32Array
  readonly s: Uint32Array
}

const P_WORDS = 18
const S_WORDS = 4 * 256

let start: Uint32Array | undefined

/** The state that every key begins from: the digits of π after the point. */
export function beginBlowfish(): Blowfish {
  start ??= fractionOfPi(P_WORDS + S_WORDS)
  return { p: start.slice(0, P_WORDS), s: start.slice(P_WORDS) }
}

/** Encrypts two words, which come back as the first two of `out`. */
export function encrypt({ p, s }: Blowfish, left: number, right: number, out: Uint32Array): void {
  let l = left
  let r = right
  for (let round = 0; round < 16; round += 2) {
    l ^= p[round] as number // all indices are within the tables
    r ^= mix(s, l)
    r ^= p[round + 1] as number
    l ^= mix(s, r)
  }
  out[0] = r ^ (p[17] as number)
  out[1] = l ^ (p[16] as number)
}

function mix(s: Uint32Array, x: number): number {
  const a = s[x >>> 24] as number
  const b = s[256 | ((x >>> 16) & 255)] as number
  const c = s[512 | ((x >>> 8) & 255)] as number
  const d = s[768 | (x & 255)] as number
  return (((a + b) ^ c) + d) | 0
}

/** A thousand words computed, rather than copied: Machin's formula, with some bits to spare. */
function fractionOfPi(words: number): Uint32Array {
  const spare = 64n
  const bits = BigInt(words * 32) + spare
  const one = 1n << bits
  const pi = 4n * (4n * arctanOfInverse(5n, one) - arctanOfInverse(239n, one))
  const fraction = (pi - 3n * one) >> spare
  const hex = fraction.toString(16).padStart(words * 8, '0')
  return Uint32Array.from({ length: words }, (_, index) =>
    Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16),
  )
}

function arctanOfInverse(x: bigint, one: bigint): bigint {
  let power = one / x
  let sum = power
  for (let n = 3n, sign = -1n; power > 0n; n += 2n, sign = -sign) {
    power /= x * x
    sum += (sign * power) / n
  }
  return sum
}
