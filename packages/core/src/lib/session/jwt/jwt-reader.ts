import { isLater, lazily } from '../../base/awaitable.ts'
import type { Awaitable, JWT } from '../../base/model.ts'
import { CLOCK_TOLERANCE } from '../../base/ports.ts'
import type { Opened, OpenFailure } from '../../crypto/opened-token.ts'
import { timeText } from '../iso-time.ts'
import { isDueForRenewal, type Lifetime, nextExpiry, type Terms } from '../lifetime.ts'
import type { ActiveSession, ReadOptions, SessionReader } from '../store.ts'
import { termsOf } from '../token-terms.ts'
import type { RenewalOptions } from './jwt-renewal.ts'
import {
  type JwtSessionParts,
  sessionFromToken,
  type TokenFacts,
  unwatched,
} from './jwt-session.ts'

/** Reads sessions that live in an encrypted cookie, and nowhere else. */
export interface JwtReader extends SessionReader {
  readonly parts: JwtSessionParts
  /** Whether a session with these claims, of a token that was opened, has not ended. */
  isValid(claims: JWT): boolean
}

// Most sessions are read as they are. What asks the application, and seals, is loaded when it is needed.
const renewal = lazily(() => import('./jwt-renewal.ts'))

/** Makes a {@link JwtReader}. */
export function createJwtReader(parts: JwtSessionParts): JwtReader {
  const { lifetime, jwt, memory, endings, now } = parts
  const needsClaims = parts.isWatched || parts.expose !== undefined

  function readOpened(
    token: string,
    opened: Opened | OpenFailure,
    time: number,
    how: ReadOptions,
  ): Awaitable<ActiveSession | null> {
    if (typeof opened === 'string') return report(opened)
    if (endings && !endings.opened) {
      return endings.open().then(() => readOpened(token, opened, time, how))
    }
    const claims = opened.claims as JWT // sealed by us
    const facts = factsOf(claims, opened.text, time)
    if (!isOpen(facts.ends, time)) return null
    if (memory && mayBeKept(claims)) memory.keep(token, facts)
    return activate(facts, time, how, claims)
  }

  async function report(failure: OpenFailure): Promise<null> {
    await parts.report(failure)
    return null
  }

  function factsOf(claims: JWT, text: string, time: number): TokenFacts {
    const { name, email, picture: image } = claims
    const terms = termsOf(claims)
    const ends = endsAt(claims, terms, lifetime, time)
    const issued = issuedAt(claims, lifetime)
    const marks = endings?.opened?.marksOf(claims, terms)
    return { text, name, email, image, issued, ends, expires: timeText(ends), marks }
  }

  /** @param opened the claims, where the token was opened for just this read */
  function activate(
    facts: TokenFacts,
    time: number,
    { canRenew, isCallbackDone = false }: ReadOptions,
    opened?: JWT,
  ): Awaitable<ActiveSession | null> {
    const isDue = isDueForRenewal(facts.issued, lifetime, time)
    const { marks } = facts
    const overdue = isDue && !canRenew && time - facts.issued
    const ended = marks && endings?.opened?.isEnded(marks, time, overdue)
    const how = { isDue, canRenew, isCallbackDone }
    if (!ended) return answer(facts, how, opened)
    return isLater(ended) ? ended.then(isSo => (isSo ? null : answer(facts, how, opened))) : null
  }

  function answer(
    facts: TokenFacts,
    how: RenewalOptions,
    opened?: JWT,
  ): Awaitable<ActiveSession | null> {
    // Nobody to ask and nothing to renew: the answer is there already, as it is most of the time.
    const needsRenewal = how.canRenew && how.isDue
    if ((!jwt || how.isCallbackDone) && !needsClaims && !needsRenewal) {
      return unwatched(sessionFromToken(facts))
    }
    const claims = opened ?? (JSON.parse(facts.text) as JWT) // sealed by us
    return renewal(({ askAndRenew }) => askAndRenew(parts, facts, claims, how))
  }

  return {
    parts,
    read(token, how) {
      const time = now()
      const known = memory?.recall(token)
      if (known && isOpen(known.ends, time)) return activate(known, time, how)
      const opened = parts.codec.open(token, time)
      return isLater(opened)
        ? opened.then(later => readOpened(token, later, time, how))
        : readOpened(token, opened, time, how)
    },
    isValid(claims) {
      const time = now()
      return isOpen(endsAt(claims, termsOf(claims), lifetime, time), time)
    },
  }
}

function isOpen(ends: number, now: number): boolean {
  return ends + CLOCK_TOLERANCE * 1000 > now
}

/**
 * When a token ends that does not say when it was issued depends on when one asks. And what is no
 * text could be changed by one request under the eyes of another.
 */
function mayBeKept({ iat, name, email, picture }: JWT): boolean {
  return (
    iat !== undefined && [name, email, picture].every(each => typeof each !== 'object' || !each)
  )
}

/** The times of a token, in seconds. One that the application decodes itself may have none. */
interface Times {
  readonly iat?: number
  readonly exp?: number
}

/** When a token was issued, in milliseconds. */
function issuedAt({ iat, exp }: Times, { maxAge }: Lifetime): number {
  return (iat ?? (exp === undefined ? 0 : exp - maxAge)) * 1000
}

/** When a session ends, in milliseconds: as its token says, or sooner if that is configured now. */
function endsAt({ iat, exp }: Times, terms: Terms, lifetime: Lifetime, now: number): number {
  const byAge = nextExpiry(iat === undefined ? now : iat * 1000, lifetime, terms)
  return exp === undefined ? byAge : Math.min(exp * 1000, byAge)
}
