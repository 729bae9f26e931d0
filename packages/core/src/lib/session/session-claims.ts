import type { ProviderSessionKeys, SessionLimits } from './lifetime.ts'

/** Limits of which each is named, though it may be undefined: code that lists them cannot leave one out. */
export type AllSessionLimits = {
  readonly [Name in keyof Required<SessionLimits>]: SessionLimits[Name] | undefined
}

/**
 * The limit that a member of our claim stands for; undefined if it is not one. A limit that is added to the type is added here
 * and in `limit-formats.ts`: renewing and revoking loop over these tables, or name each limit by {@link AllSessionLimits} if every request
 * does so. Session checks read claims alone, so the formats of names are apart.
 */
export const LIMIT_READERS: {
  readonly [Name in keyof AllSessionLimits]: (member: unknown) => AllSessionLimits[Name]
} = {
  bgn: numberIn,
  cap: numberIn,
  tmp: member => (member === true ? member : undefined),
  // A copy: callbacks are given the claims that it comes from, and may change them.
  rk: member => (isProviderSessionKeys(member) ? { ...member } : undefined),
}

function numberIn(member: unknown): number | undefined {
  return typeof member === 'number' ? member : undefined
}

function isProviderSessionKeys(given: unknown): given is ProviderSessionKeys {
  if (given === undefined) return false // as it nearly always is
  const { at, sid, sub } = Object(given) as Partial<Record<keyof ProviderSessionKeys, unknown>>
  return typeof at === 'number' && typeof (sid ?? sub ?? '') === 'string'
}
