import type { JWT } from '../base/session.ts'
import type { ProviderMarks, Terms } from './lifetime.ts'
import { MARKS_CLAIM } from './revocation.ts'

/** The terms of a session, as its token has them. One that does not say when it began has `iat` for it. */
export function termsOf(token: Readonly<JWT>): Terms {
  const { bgn, cap, tmp, rk } = Object(token[MARKS_CLAIM]) as Readonly<Record<string, unknown>>
  const issued = token.iat === undefined ? undefined : token.iat * 1000
  return {
    bgn: typeof bgn === 'number' ? Math.min(bgn, issued ?? bgn) : issued,
    cap: typeof cap === 'number' ? cap : undefined,
    tmp: tmp === true ? tmp : undefined,
    rk: isProviderMarks(rk) ? rk : undefined,
  }
}

function isProviderMarks(given: unknown): given is ProviderMarks {
  if (given === undefined) return false // as it nearly always is
  const { at, sid, sub } = Object(given) as Partial<Record<keyof ProviderMarks, unknown>>
  return typeof at === 'number' && typeof (sid ?? sub ?? '') === 'string'
}
