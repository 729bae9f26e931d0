/** Deeper than any attestation, whose certificates are a list in a map in a map. */
const DEEPEST = 8

/**
 * How many bytes the first CBOR item takes (RFC 8949 §3), or null if there is none, or one that devices do not send:
 * of unknown length, too deep, or with one key twice. SimpleWebAuthn reads the first item and does not look at the
 * bytes after it.
 */
export function cborLength(bytes: Uint8Array): number | null {
  const end = skipItem(bytes, 0, 0)
  return end === null || end > bytes.length ? null : end
}

function skipItem(bytes: Uint8Array, start: number, depth: number): number | null {
  const head = readHead(bytes, start)
  if (!head || depth > DEEPEST) return null
  const { type, value, end } = head
  switch (type) {
    case 0: // unsigned
    case 1: // negative
    case 7: // simple, float
      return end
    case 2: // bytes
    case 3: // text
      return end + value
    case 4: // list
      return skipItems(bytes, end, value, depth + 1)
    case 5: // map
      return skipMap(bytes, end, value, depth + 1)
    default: // a tag: nothing in WebAuthn has one
      return null
  }
}

function skipItems(bytes: Uint8Array, start: number, count: number, depth: number): number | null {
  let at: number | null = start
  for (let item = 0; item < count && at !== null; item++) {
    at = at < bytes.length ? skipItem(bytes, at, depth) : null
  }
  return at
}

function skipMap(bytes: Uint8Array, start: number, count: number, depth: number): number | null {
  const keys = new Set<string>()
  let at: number | null = start
  for (let item = 0; item < count && at !== null; item++) {
    const key = skipItems(bytes, at, 1, depth)
    if (key === null || key - at > MAX_KEY_LENGTH) return null
    keys.add(bytes.subarray(at, key).join())
    at = skipItems(bytes, key, 1, depth)
  }
  return keys.size === count ? at : null
}

const MAX_KEY_LENGTH = 64

function readHead(
  bytes: Uint8Array,
  at: number,
): { readonly type: number; readonly value: number; readonly end: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  const type = first >> 5
  const short = first & 31
  if (short < 24) return { type, value: short, end: at + 1 }
  const size = { 24: 1, 25: 2, 26: 4 }[short]
  // Eight bytes, or a length that is not said: nothing here is that long.
  if (size === undefined || at + 1 + size > bytes.length) return null
  let value = 0
  for (const byte of bytes.subarray(at + 1, at + 1 + size)) value = value * 256 + byte
  return { type, value, end: at + 1 + size }
}
