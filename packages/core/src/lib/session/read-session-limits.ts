import type { JWT } from '../base/session.ts'
import { SESSION_CLAIM } from './revocation.ts'
import { type AllSessionLimits, LIMIT_READERS } from './session-claims.ts'

const {
  bgn: readBeginning,
  cap: readLatestEnd,
  tmp: readTemporary,
  rk: readProvider,
} = LIMIT_READERS

/** The limits of a session, as its token has them. One that does not say when it began has `iat` for it. */
export function readSessionLimits(token: Readonly<JWT>): AllSessionLimits {
  const claim = Object(token[SESSION_CLAIM]) as Readonly<Record<keyof AllSessionLimits, unknown>>
  const issued = token.iat === undefined ? undefined : token.iat * 1000
  const bgn = readBeginning(claim.bgn)
  // Member by member: this is done for every token that is opened.
  return {
    bgn: bgn === undefined ? issued : Math.min(bgn, issued ?? bgn),
    cap: readLatestEnd(claim.cap),
    tmp: readTemporary(claim.tmp),
    rk: readProvider(claim.rk),
  }
}
