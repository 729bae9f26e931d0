/** A value as Redis keeps it. A date is marked, so that no text is ever taken for one. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, member: unknown) {
    // JSON.stringify has made a text of a date by now: look at what it was.
    const original = this[key]
    return original instanceof Date ? { $date: original.getTime() } : member
  })
}

export function decodeValue(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    isMarkedDate(value) ? new Date(value.$date) : value,
  )
}

/** The fields of a hash, whatever form the client answers them in. */
export function decodeHash(answer: unknown): Record<string, unknown> | null {
  const pairs = [...pairsOf(answer)]
  if (pairs.length === 0) return null
  return Object.fromEntries(pairs.map(([name, text]) => [String(name), decodeValue(String(text))]))
}

/** Field, value, field, value, as commands take them. Undefined fields are left out. */
export function encodeHash(record: object): string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    value === undefined ? [] : [name, encodeValue(value)],
  )
}

/** Joins parts so that no two lists of parts give one key, and braces name no hash slot. */
export function joinKey(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join(':')
}

/** The pairs of a hash, whatever form the client answers them in. */
export function* pairsOf(answer: unknown): Iterable<readonly [unknown, unknown]> {
  if (answer instanceof Map) yield* answer
  else if (Array.isArray(answer)) {
    for (let at = 0; at < answer.length; at += 2) yield [answer[at], answer[at + 1]]
  } else if (typeof answer === 'object' && answer) yield* Object.entries(answer)
}

function isMarkedDate(value: unknown): value is { $date: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    '$date' in value &&
    typeof value.$date === 'number' &&
    Object.keys(value).length === 1
  )
}
