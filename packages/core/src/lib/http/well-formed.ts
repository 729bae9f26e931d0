/**
 * Whether no text in a value contains half of a surrogate pair. Such a text has no UTF-8: URLs and cookies cannot contain it,
 * and two that differ would be stored as one.
 */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).flat().every(isWellFormed)
}
