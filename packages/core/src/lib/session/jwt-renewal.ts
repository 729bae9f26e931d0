import type { JwtParams, SessionParams } from '../base/callbacks.ts'
import { JWTSessionError } from '../base/errors.ts'
import type { Awaitable, JWT } from '../base/model.ts'
import { MARKS_CLAIM, type MarkClaims, type Marks, type Standing } from './endings.ts'
import { addExposed } from './exposed.ts'
import { type JwtSessionParts, shownSession, type TokenFacts } from './jwt-session.ts'
import { nextExpiry, type Terms } from './lifetime.ts'
import type { ActiveSession, IssuedSession } from './store.ts'
import { termsOf } from './token-terms.ts'

/**
 * Asks the application about a session that is read, and seals it anew where that is due.
 *
 * @param asked whether the `jwt` callback has seen this very token in this very request
 */
export function askAndRenew(
  parts: JwtSessionParts,
  facts: TokenFacts,
  claims: JWT,
  renew: boolean,
  isDue: boolean,
  asked: boolean,
): Awaitable<ActiveSession | null> {
  return parts.jwt && !asked
    ? askFirst(parts, facts, claims, renew, isDue)
    : renewIfDue(parts, facts, claims, renew, isDue)
}

async function askFirst(
  parts: JwtSessionParts,
  facts: TokenFacts,
  claims: JWT,
  renew: boolean,
  isDue: boolean,
): Promise<ActiveSession | null> {
  const token = await callJwt(parts, readParams({ token: claims, session: undefined }))
  if (token === null) return null
  return renewIfDue(parts, facts, token, renew, isDue || JSON.stringify(token) !== facts.text)
}

function renewIfDue(
  parts: JwtSessionParts,
  facts: TokenFacts,
  token: JWT,
  renew: boolean,
  isDue: boolean,
): Awaitable<ActiveSession | null> {
  const { expires, marks, text } = facts
  if (!renew || !isDue) return activeSession(parts, token, expires, null, !isDue)
  const before = JSON.parse(text) as JWT // sealed by us
  return marks
    ? renewUnlessEnded(parts, facts, token, marks, before)
    : renewedSession(parts, token, undefined, before)
}

/** The store is asked first, so that nobody who is behind brings a session back. */
async function renewUnlessEnded(
  parts: JwtSessionParts,
  { issued, expires }: TokenFacts,
  token: JWT,
  marks: Marks,
  before: JWT,
): Promise<ActiveSession | null> {
  const { now, endings } = parts
  let standing: Standing | undefined
  try {
    standing = await endings?.opened?.standing(marks)
  } catch (error) {
    if (!endings?.opened?.mayGoOn(now() - issued)) throw error
    // It goes on as it is. That the store does not answer is told where it is asked for news.
    return activeSession(parts, token, expires, null, false)
  }
  if (standing === 'ended') return null
  // The browser has another cookie by now, which must stay.
  if (standing === 'replaced') return activeSession(parts, token, expires, null, true)
  return renewedSession(parts, token, marks, before)
}

/**
 * Seals claims, and answers the session that they make.
 *
 * @param before the claims as they were sealed before
 */
export async function renewedSession(
  parts: JwtSessionParts,
  token: JWT,
  marks: Marks | undefined,
  before: JWT,
  update?: { readonly changes: unknown },
): Promise<ActiveSession> {
  const isForOthers = !marks && !parts.isEndingOff && 'gen' in Object(before[MARKS_CLAIM])
  const renewal = isForOthers
    ? await sealForOthers(parts, token, before)
    : await issueToken(parts, token, marks?.claims ?? neededTerms(parts, termsOf(before)))
  const more = update && { newSession: update.changes, trigger: 'update' }
  return activeSession(parts, token, renewal.expires.toISOString(), renewal, true, more)
}

/**
 * A session with these claims.
 *
 * @param more what the `session` callback is told besides
 */
function activeSession(
  { isWatched, expose }: JwtSessionParts,
  token: JWT,
  expires: string,
  renewal: IssuedSession | null,
  isCurrent: boolean,
  more?: object,
): ActiveSession {
  const { name, email, picture: image } = token
  const shown = shownSession({ name, email, image, expires })
  // Whose session it is, is called `sub` in a token.
  if (expose && shown.user) addExposed(shown.user, expose, { id: token.sub, ...token })
  // The documented type joins what the two strategies give; each gives its own half.
  const params = isWatched ? ({ session: shown, token, ...more } as unknown as SessionParams) : null
  return { shown, params, token, renewal, isCurrent }
}

/** The terms that a token has to say; undefined where it would say nothing that counts. */
export function neededTerms({ lifetime }: JwtSessionParts, terms: Terms): Terms | undefined {
  const { cap, tmp } = terms
  return lifetime.absoluteAge !== undefined || cap !== undefined || tmp ? terms : undefined
}

/** Seals claims as a token that is new now. */
export async function issueToken(
  { codec, lifetime, endings, now }: JwtSessionParts,
  token: JWT,
  own: MarkClaims | Terms | undefined,
): Promise<IssuedSession> {
  const claims =
    own && endings && 'gen' in own
      ? (await endings.open()).mark(token, own)
      : own
        ? { ...token, [MARKS_CLAIM]: own }
        : token
  const time = now()
  const ends = nextExpiry(time, lifetime, own)
  const isLimited = ends < nextExpiry(time, lifetime)
  return {
    token: await codec.seal(claims, isLimited ? secondsUntil(ends, time) : undefined),
    expires: new Date(ends),
    ...(own?.tmp && { isTemporary: true }),
  }
}

function secondsUntil(ends: number, time: number): number {
  return Math.max(Math.floor(ends / 1000) - Math.floor(time / 1000), 1)
}

/**
 * Seals claims of a session that other servers can end, where this one would not know: with the same
 * marks, and for no longer than before. Else it could be kept alive here until they have forgotten its end.
 */
async function sealForOthers(
  { codec, lifetime, now }: JwtSessionParts,
  token: JWT,
  before: JWT,
): Promise<IssuedSession> {
  const time = now()
  const marks = { uid: before.sub, ...Object(before[MARKS_CLAIM]) }
  const { bgn, ...terms } = termsOf(before)
  const latest = nextExpiry(time, lifetime, { ...terms, bgn })
  const ends = Math.min(latest, before.exp === undefined ? latest : before.exp * 1000)
  const sealed = { ...token, [MARKS_CLAIM]: { ...marks, bgn } }
  return {
    token: await codec.seal(sealed, secondsUntil(ends, time)),
    expires: new Date(ends),
    ...(terms.tmp && { isTemporary: true }),
  }
}

/** What the application makes of a token; null where it ends the session. */
export async function callJwt({ jwt }: JwtSessionParts, params: JwtParams): Promise<JWT | null> {
  if (!jwt) return params.token
  const token = await jwt(params)
  if (token === undefined) {
    throw new JWTSessionError(
      'The jwt callback returned nothing. Return the token, or null to end the session.',
    )
  }
  return token
}

/** At a sign-in there is a user to speak of; when a session is read there is none, as documented. */
export function readParams(params: Pick<JwtParams, 'token' | 'trigger' | 'session'>): JwtParams {
  return params as JwtParams
}
