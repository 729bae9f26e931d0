import type { Awaitable } from '../../base/awaitable.ts'
import { isPromise, lazily } from '../../base/awaitable.ts'
import { CLOCK_TOLERANCE } from '../../base/ports.ts'
import type { JWT } from '../../base/session.ts'
import type { Opened, OpenFailure } from '../../crypto/opened-token.ts'
import { timeText } from '../iso-time.ts'
import { isDueForRenewal, type Lifetime, nextExpiry, type SessionLimits } from '../lifetime.ts'
import { readSessionLimits } from '../read-session-limits.ts'
import type { ActiveSession, ReadOptions, SessionReader } from '../store.ts'
import type { RenewalOptions } from './jwt-renewal.ts'
import {
  type JwtSessionDependencies,
  sessionFromToken,
  type TokenFacts,
  unwatched,
} from './jwt-session.ts'

/** Reads sessions that live in an encrypted cookie, and nowhere else. */
export interface JwtReader extends SessionReader {
  readonly dependencies: JwtSessionDependencies
  /** Whether a session with these claims, of a token that was opened, has not expired. */
  isValid(claims: JWT): boolean
  /** The facts of a token that was opened. The view of revocations has to be open. */
  facts(claims: JWT, text: string): TokenFacts
}

/** The dependencies of every function that reads. Created once per reader and never changed. */
interface ReaderContext extends JwtSessionDependencies {
  /** Whether the application sees more of the claims than those of a plain session. */
  readonly needsClaims: boolean
}

// Most sessions are read as they are. The code that calls the application, and seals, is loaded when needed.
const renewal = lazily(() => import('./jwt-renewal.ts'))

/** Makes a {@link JwtReader}. */
export function createJwtReader(dependencies: JwtSessionDependencies): JwtReader {
  const needsClaims = dependencies.isWatched || dependencies.expose !== undefined
  const context = Object.freeze({ ...dependencies, needsClaims })
  return {
    dependencies,
    read: (token, options) => readToken(context, token, options),
    isValid: claims => isValid(context, claims),
    facts: (claims, text) => toFacts(context, claims, text, context.now()),
  }
}

function readToken(
  context: ReaderContext,
  token: string,
  options: ReadOptions,
): Awaitable<ActiveSession | null> {
  const { memory, codec } = context
  const time = context.now()
  const cached = memory?.recall(token)
  if (cached && isOpen(cached.endsAt, time)) return readFacts(context, cached, time, options)
  const opened = codec.open(token, time)
  return isPromise(opened)
    ? opened.then(later => readOpened(context, token, later, time, options))
    : readOpened(context, token, opened, time, options)
}

function readOpened(
  context: ReaderContext,
  token: string,
  opened: Opened | OpenFailure,
  time: number,
  options: ReadOptions,
): Awaitable<ActiveSession | null> {
  const { revocations, memory } = context
  if (typeof opened === 'string') return report(context, opened)
  if (revocations && !revocations.opened) {
    return revocations.open().then(() => readOpened(context, token, opened, time, options))
  }
  const claims = opened.claims as JWT // sealed by us
  const facts = toFacts(context, claims, opened.text, time)
  if (!isOpen(facts.endsAt, time)) return endShortened(context, facts, claims, time)
  if (memory && canBeCached(claims)) memory.store(token, facts)
  return readFacts(context, facts, time, options, claims)
}

/** A token that is over only by the lifetime that sessions have by now is over for good. */
function endShortened(
  context: ReaderContext,
  { keys }: TokenFacts,
  { exp }: JWT,
  time: number,
): Awaitable<null> {
  const isShortened = exp !== undefined && isOpen(exp * 1000, time)
  return isShortened && keys
    ? renewal(({ revokeShortened }) => revokeShortened(context, keys))
    : null
}

async function report(context: ReaderContext, failure: OpenFailure): Promise<null> {
  await context.report(failure)
  return null
}

function toFacts(
  { lifetime, revocations }: ReaderContext,
  claims: JWT,
  text: string,
  time: number,
): TokenFacts {
  const { name, email, picture: image } = claims
  const limits = readSessionLimits(claims)
  const expiry = endsAt(claims, limits, lifetime, time)
  const issued = issuedAt(claims, lifetime)
  const keys = revocations?.opened?.keysOf(claims, limits)
  return { text, name, email, image, issued, endsAt: expiry, expires: timeText(expiry), keys }
}

/**
 * The session of a token that has not expired, unless it was revoked.
 *
 * @param opened the claims, if the token was opened for just this read
 */
function readFacts(
  context: ReaderContext,
  facts: TokenFacts,
  time: number,
  { canRenew, isCallbackDone = false }: ReadOptions,
  opened?: JWT,
): Awaitable<ActiveSession | null> {
  const { lifetime, revocations } = context
  const isDue = isDueForRenewal(facts.issued, lifetime, time)
  const { keys } = facts
  const overdue = isDue && !canRenew && time - facts.issued
  const revoked = keys && revocations?.opened?.isRevoked(keys, time, overdue)
  const options = { isDue, canRenew, isCallbackDone }
  if (!revoked) return toActiveSession(context, facts, options, opened)
  return isPromise(revoked)
    ? revoked.then(isSo => (isSo ? null : toActiveSession(context, facts, options, opened)))
    : null
}

function toActiveSession(
  context: ReaderContext,
  facts: TokenFacts,
  options: RenewalOptions,
  opened: JWT | undefined,
): Awaitable<ActiveSession | null> {
  // Most of the time there is no callback and nothing to renew, so that nothing has to be waited for.
  const needsRenewal = options.canRenew && options.isDue
  const needsCallback = context.jwt && !options.isCallbackDone
  if (!needsCallback && !context.needsClaims && !needsRenewal) {
    return unwatched(sessionFromToken(facts))
  }
  const claims = opened ?? (JSON.parse(facts.text) as JWT) // sealed by us
  return renewal(({ askAndRenew }) => askAndRenew(context, facts, claims, options))
}

function isValid({ lifetime, now }: ReaderContext, claims: JWT): boolean {
  const time = now()
  return isOpen(endsAt(claims, readSessionLimits(claims), lifetime, time), time)
}

function isOpen(expiry: number, now: number): boolean {
  return expiry + CLOCK_TOLERANCE * 1000 > now
}

/**
 * The end of a token without `iat` depends on when it is read. And one request could change a value that is
 * an object while another request uses it.
 */
function canBeCached({ iat, name, email, picture }: JWT): boolean {
  return (
    iat !== undefined && [name, email, picture].every(value => typeof value !== 'object' || !value)
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

/** The end of a session, in milliseconds: that of its token, or sooner if sessions are shorter by now. */
function endsAt(
  { iat, exp }: Times,
  limits: SessionLimits,
  lifetime: Lifetime,
  now: number,
): number {
  const byAge = nextExpiry(iat === undefined ? now : iat * 1000, lifetime, limits)
  return exp === undefined ? byAge : Math.min(exp * 1000, byAge)
}
