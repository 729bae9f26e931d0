/** Encodes a value as text. A date is marked, so that no text is mistaken for one. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, member: unknown) {
    // JSON.stringify has converted a date to text already, so this reads the original.
    const original = this[key]
    return original instanceof Date ? { $date: original.getTime() } : member
  })
}

export function decodeValue(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    isEncodedDate(value) ? new Date(value.$date) : value,
  )
}

/** Decodes the fields of a hash, whichever form the client returns. */
export function decodeHash(reply: unknown): Record<string, unknown> | null {
  const pairs = [...toPairs(reply)]
  if (pairs.length === 0) return null
  return Object.fromEntries(pairs.map(([name, text]) => [String(name), decodeValue(String(text))]))
}

/** Encodes a record as field, value, field, value, as commands need it. Undefined fields are left out. */
export function encodeHash(record: object): string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    value === undefined ? [] : [name, encodeValue(value)],
  )
}

/** Joins parts so that no two lists of parts give one key, and braces name no hash slot. */
export function joinKey(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join(':')
}

/** The pairs of a hash, whichever form the client returns. */
export function* toPairs(reply: unknown): Iterable<readonly [unknown, unknown]> {
  if (reply instanceof Map) yield* reply
  else if (Array.isArray(reply)) {
    for (let at = 0; at < reply.length; at += 2) yield [reply[at], reply[at + 1]]
  } else if (typeof reply === 'object' && reply) yield* Object.entries(reply)
}

function isEncodedDate(value: unknown): value is { $date: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    '$date' in value &&
    typeof value.$date === 'number' &&
    Object.keys(value).length === 1
  )
}
