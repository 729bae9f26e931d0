import { Buffer } from 'node:buffer'

/**
 * Decodes base64url without padding into room that is there already. Tells whether it came to just as
 * many bytes. Whether it {@link isAlphabet} is for the caller to see, who may have more of it.
 */
export function decodeBase64UrlInto(
  target: Buffer,
  at: number,
  text: string,
  size: number,
): boolean {
  return sizeOf(text) === size && target.write(text, at, 'base64url') === size
}

/** How many bytes a text stands for. */
export function sizeOf(text: string): number {
  return Math.floor((text.length * 3) / 4)
}

/**
 * Node passes over what is not of the alphabet, takes the other alphabet for this one, and looks at
 * the low byte of a character only, so that `Ł` would pass for `A`. What it passes over shows in the
 * number of bytes; the other two must be looked for.
 */
export function isAlphabet(text: string): boolean {
  return !text.includes('+') && !text.includes('/') && Buffer.byteLength(text) === text.length
}
