import { Buffer } from 'node:buffer'

/** How many bytes base64url stands for. */
export function sizeOf(text: string): number {
  return Math.floor((text.length * 3) / 4)
}

/** What the characters of base64url stand for, by their codes: the first six bits of what they begin. */
const values = Uint8Array.from(
  { length: 128 },
  (_, code) => Number(Buffer.from(`${String.fromCharCode(code)}A`, 'base64url')[0]) >> 2,
)

/** From how many characters on a call of Node is the quicker way to decode them. */
const MANY = 1000

/**
 * Decodes characters of base64url. Tells whether they are what an encoder writes: bits of the last that
 * carry nothing must be zero, or else several texts would stand for the same bytes.
 */
export function decodeInto(target: Buffer, start: number, text: string): boolean {
  if (text.length > MANY) {
    target.write(text, start, 'base64url')
    return target.toString('base64url', start) === text
  }
  let bits = 0
  let spare = 0
  let at = start
  for (let index = 0; index < text.length; index++) {
    bits = (bits << 6) | (values[text.charCodeAt(index)] as number) // of the alphabet, so it is there
    spare = 6 - (index % 4) * 2
    if (spare < 6) target[at++] = bits >> spare
  }
  return spare < 6 && (bits & ((1 << spare) - 1)) === 0
}
