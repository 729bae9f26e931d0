import type { JWT } from '../base/model.ts'
import { MARKS_CLAIM } from './endings.ts'
import type { Terms } from './lifetime.ts'

/** The terms of a session, as its token has them. One that does not say when it began has `iat` for it. */
export function termsOf(token: Readonly<JWT>): Terms {
  const { bgn, cap, tmp } = Object(token[MARKS_CLAIM]) as Readonly<Record<string, unknown>>
  const issued = token.iat === undefined ? undefined : token.iat * 1000
  return {
    bgn: typeof bgn === 'number' ? Math.min(bgn, issued ?? bgn) : issued,
    cap: typeof cap === 'number' ? cap : undefined,
    tmp: tmp === true ? tmp : undefined,
  }
}
