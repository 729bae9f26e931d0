import type { JwtParams, SessionParams } from '../callbacks.ts'
import { JWTSessionError } from '../errors.ts'
import type { JWT } from '../model.ts'
import { type JwtSessionParts, shownSession, type TokenFacts, unwatched } from './jwt-session.ts'
import { nextExpiry } from './lifetime.ts'
import type { ActiveSession, IssuedSession } from './store.ts'

/** Asks the application about a session that is read, and seals it anew where that is due. */
export async function askAndRenew(
  parts: JwtSessionParts,
  { text, expires }: TokenFacts,
  claims: JWT,
  renew: boolean,
  isDue: boolean,
  asked: boolean,
): Promise<ActiveSession | null> {
  const isAsked = parts.jwt !== undefined && !asked
  const params = readParams({ token: claims, session: undefined })
  const token = isAsked ? await callJwt(parts, params) : claims
  if (token === null) return null
  const hasChanged = isAsked && JSON.stringify(token) !== text
  const isCurrent = !isDue && !hasChanged
  if (renew && !isCurrent) return renewedSession(parts, token)
  return { ...activeSession(parts, token, expires), isCurrent }
}

/** Seals claims, and answers the session that they make. */
export async function renewedSession(
  parts: JwtSessionParts,
  token: JWT,
  update?: { readonly changes: unknown },
): Promise<ActiveSession> {
  const renewal = await issueToken(parts, token)
  const more = update && { newSession: update.changes, trigger: 'update' }
  return activeSession(parts, token, renewal.expires.toISOString(), renewal, more)
}

/** A session with these claims. */
function activeSession(
  { isWatched }: Pick<JwtSessionParts, 'isWatched'>,
  token: JWT,
  expires: string,
  renewal: IssuedSession | null = null,
  /** What the `session` callback is told besides. */
  more?: object,
): ActiveSession {
  const { name, email, picture: image } = token
  const shown = shownSession({ name, email, image, expires })
  if (!isWatched) return unwatched(shown, renewal)
  // The documented type joins what the two strategies give; each gives its own half.
  const params = { session: shown, token, ...more } as unknown as SessionParams
  return { shown, params, token, renewal }
}

/** Seals claims as a session that begins now. */
export async function issueToken(
  { codec, lifetime, now }: JwtSessionParts,
  claims: JWT,
): Promise<IssuedSession> {
  return { token: await codec.seal(claims), expires: new Date(nextExpiry(now(), lifetime)) }
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
