import type { RevocationEntry } from '@siteauth/core/adapters'

/**
 * Reads a revocation as messages and Redis contain it: its key, the milliseconds of its `until`, and its
 * generation or a dash, with blanks between them. Null for anything else, such as a message to see
 * whether messages arrive.
 */
export function decodeRevocation(text: string): RevocationEntry | null {
  const [, key, until, generation] = FORM.exec(text) ?? []
  if (key === undefined) return null
  return {
    key,
    generation: generation === '-' ? null : Number(generation),
    until: new Date(Number(until)),
  }
}

const FORM = /^([!-~]+) (-?\d+) (-|\d+)$/
