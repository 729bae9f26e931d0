import type { JWT } from '../base/session.ts'
import { SESSION_CLAIM } from './revocation.ts'
import { type AllTerms, TERM_READERS } from './session-claims.ts'

const {
  bgn: readBeginning,
  cap: readLatestEnd,
  tmp: readTemporary,
  rk: readProvider,
} = TERM_READERS

/** The terms of a session, as its token has them. One that does not say when it began has `iat` for it. */
export function termsOf(token: Readonly<JWT>): AllTerms {
  const claim = Object(token[SESSION_CLAIM]) as Readonly<Record<keyof AllTerms, unknown>>
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
