import type { JWT } from '../base/session.ts'
import { MARKS_CLAIM } from './revocation.ts'
import { type AllTerms, SESSION_TERMS } from './session-claims.ts'

/** The terms of a session, as its token has them. One that does not say when it began has `iat` for it. */
export function termsOf(token: Readonly<JWT>): AllTerms {
  const claim = Object(token[MARKS_CLAIM]) as Readonly<Record<keyof AllTerms, unknown>>
  const issued = token.iat === undefined ? undefined : token.iat * 1000
  const bgn = SESSION_TERMS.bgn.fromClaim(claim.bgn)
  // Member by member: this is done for every token that is opened.
  return {
    bgn: bgn === undefined ? issued : Math.min(bgn, issued ?? bgn),
    cap: SESSION_TERMS.cap.fromClaim(claim.cap),
    tmp: SESSION_TERMS.tmp.fromClaim(claim.tmp),
    rk: SESSION_TERMS.rk.fromClaim(claim.rk),
  }
}
