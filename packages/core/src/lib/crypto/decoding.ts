const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 bytes as text. Throws if they are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return strictDecoder.decode(bytes)
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NONE = 64
const values = new Uint8Array(128).fill(NONE)
for (const [value, character] of [...ALPHABET].entries()) values[character.charCodeAt(0)] = value

/**
 * Base64url without padding as bytes. Null for anything that is not exactly that: bits of the last
 * character that carry nothing must be zero, or else several texts would stand for the same bytes. Not
 * by `atob`, which has another alphabet, takes blanks and padding, and answers a text.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let index = 0; index < text.length; index++) {
    const value = values[text.charCodeAt(index)] ?? NONE
    if (value === NONE) return null
    bits = (bits << 6) | value
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[at++] = bits >> held
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null
}
