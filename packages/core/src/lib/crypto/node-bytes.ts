import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'

/**
 * Base64url without padding as bytes. Null for anything that an encoder would not write: several texts
 * must not stand for the same bytes.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? new Uint8Array(bytes) : null
}

/**
 * Whether two texts are equal, in a time that does not depend on where they differ. The time does
 * depend on the lengths, so compare digests or tokens, whose lengths are known.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  const [first, second] = [Buffer.from(left), Buffer.from(right)]
  return first.length === second.length && timingSafeEqual(first, second)
}
