/** A JSON object, by the names of its members. */
export type JsonObject = Record<string, unknown>

/**
 * Parses a JSON object; null for anything else. Integers that a number cannot hold exactly become
 * strings: two people whose ids differ in the last digit must not become one.
 */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const exact = hasLongNumber.test(text) ? parse(text.replace(literals, quoteUnsafe)) : value
  return exact as JsonObject // an object, as was just seen
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hasLongNumber = /\d{16}/

// Strings, so that digits in them are left alone, or numbers. Only ever run on text that is JSON:
// there every string ends, and so the search is linear.
const literals = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

function quoteUnsafe(literal: string): string {
  const isUnsafe = /^-?\d{16,}$/.test(literal) && !Number.isSafeInteger(Number(literal))
  return isUnsafe ? `"${literal}"` : literal
}
