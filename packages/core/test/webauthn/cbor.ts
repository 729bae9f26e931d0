/** What the tests write as CBOR. */
export type Cbor = number | string | Uint8Array | Cbor[] | Map<Cbor, Cbor>

/** Writes CBOR (RFC 8949), as far as devices do. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  return encodePairs([...value])
}

/** A map of pairs, in which one key may come twice. */
export function encodePairs(pairs: readonly (readonly [Cbor, Cbor])[]): Buffer {
  return Buffer.concat([
    head(5, pairs.length),
    ...pairs.flat().map(each => encodeCbor(each as Cbor)),
  ])
}

function head(type: number, value: number): Buffer {
  const first = type << 5
  if (value < 24) return Buffer.from([first | value])
  if (value < 256) return Buffer.from([first | 24, value])
  if (value < 65_536) return Buffer.from([first | 25, value >> 8, value & 255])
  const long = Buffer.alloc(5)
  long[0] = first | 26
  long.writeUInt32BE(value, 1)
  return long
}
