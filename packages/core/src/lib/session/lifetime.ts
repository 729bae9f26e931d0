/** How long sessions last, in seconds. */
export interface Lifetime {
  /** Idle time until a session ends. */
  readonly maxAge: number
  /** How old a session may get before it is renewed. */
  readonly updateAge: number
  /** How long a session lasts at most, however much it is used. */
  readonly absoluteAge?: number | undefined
}

/** The facts that are settled when a session begins, and stay as they are while it is renewed. In milliseconds. */
export interface SessionLimits {
  /** When it began. */
  readonly bgn?: number | undefined
  /** When it ends at the latest, as the provider specifies. */
  readonly cap?: number | undefined
  /** Whether it is forgotten when the browser is closed. */
  readonly tmp?: true | undefined
  /** The keys by which its provider can end it. */
  readonly rk?: ProviderSessionKeys | undefined
}

/** The keys of the sign-in at a provider that a session came from. */
export interface ProviderSessionKeys {
  /** When it was, by the provider's clock, in seconds. */
  readonly at: number
  /** The key of the session there. */
  readonly sid?: string | undefined
  /** The key of the person there. */
  readonly sub?: string | undefined
}

/** When a session that is issued now ends, in milliseconds. */
export function nextExpiry(now: number, lifetime: Lifetime, limits: SessionLimits = {}): number {
  return Math.min(now + lifetime.maxAge * 1000, latestExpiry(lifetime, limits))
}

/** When a session ends however much it is used, in milliseconds. */
export function latestExpiry({ absoluteAge }: Lifetime, { bgn, cap }: SessionLimits): number {
  const byAge = absoluteAge === undefined || bgn === undefined ? Infinity : bgn + absoluteAge * 1000
  return Math.min(byAge, cap ?? Infinity)
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
