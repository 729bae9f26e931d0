import { toHex } from './hex.ts'

const kept = new Uint8Array(2048)
let nextAt = kept.length

/**
 * Random bytes as lower-case hexadecimal. The system is asked for many at once: asking takes longer than
 * their making. None is given away twice, or stays in memory afterwards.
 */
export function randomHex(bytes: number): string {
  if (bytes > kept.length) return toHex(crypto.getRandomValues(new Uint8Array(bytes)))
  if (nextAt + bytes > kept.length) {
    crypto.getRandomValues(kept)
    nextAt = 0
  }
  const taken = kept.subarray(nextAt, nextAt + bytes)
  nextAt += bytes
  const hex = toHex(taken)
  taken.fill(0)
  return hex
}
