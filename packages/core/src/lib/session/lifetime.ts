/** How long sessions last, in seconds. */
export interface Lifetime {
  /** Idle time until a session ends. */
  readonly maxAge: number
  /** How old a session may get before it is renewed. */
  readonly updateAge: number
}

/** When a session that is issued now ends, in milliseconds. */
export function nextExpiry(now: number, { maxAge }: Lifetime): number {
  return now + maxAge * 1000
}

/** Whether a session was issued so long ago that it should be renewed. */
export function isDueForRenewal(issued: number, lifetime: Lifetime, now: number): boolean {
  // Issued in the future, as reckoned from its end: sessions have become shorter since.
  return issued + lifetime.updateAge * 1000 <= now || issued > now + ONE_MINUTE
}

/** In milliseconds: more than the clocks of two servers may differ. */
export const ONE_MINUTE = 60_000

/**
 * The age at which sessions are renewed. One day, unless sessions live so short that a person who
 * comes back every few hours would be signed out in the middle of the work.
 */
export function effectiveUpdateAge(maxAge: number, configured: number | undefined): number {
  const half = Math.floor(maxAge / 2)
  if (configured === undefined) return Math.min(86_400, half)
  return configured < maxAge ? configured : half
}
