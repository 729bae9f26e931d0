import type { TokenSet } from '../../base/user.ts'

/** A provider's own `expires_at` may be of any unit and by any clock: what counts is how long. */
export function withExpiry({ expires_at: _, ...tokens }: TokenSet, now: number): TokenSet {
  const { expires_in } = tokens
  if (!expires_in) return tokens
  return { ...tokens, expires_at: Math.floor(now / 1000) + Math.floor(expires_in) }
}
