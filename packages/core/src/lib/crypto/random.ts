import { toHex } from './encoding.ts'

/**
 * Random bytes, which the system is asked for each time. Some kept for later would be given out twice where
 * a process, or the machine it runs on, is started from a snapshot.
 */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count))
}

/** Random bytes as lower-case hexadecimal. */
export function randomHex(count: number): string {
  return toHex(randomBytes(count))
}

/** A UUID of version 4 (RFC 9562 §5.4) from 16 random bytes in hexadecimal. */
export function uuidFrom(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000).toString(16)
  const [first, second, third] = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
  return `${first}-${second}-${third}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
