import type { JwtParams } from '../callbacks.ts'
import { JWTSessionError } from '../errors.ts'
import type { JWT } from '../model.ts'
import { activeSession, type JwtSessionParts, type TokenFacts } from './jwt-session.ts'
import { nextExpiry } from './lifetime.ts'
import type { ActiveSession, IssuedSession } from './store.ts'

/** Asks the application about a session that is read, and seals it anew where that is due. */
export async function askAndRenew(
  parts: JwtSessionParts,
  { text, expires }: TokenFacts,
  claims: JWT,
  renew: boolean,
  isDue: boolean,
): Promise<ActiveSession | null> {
  const token = await callJwt(parts, readParams({ token: claims, session: undefined }))
  if (token === null) return null
  const hasChanged = parts.jwt !== undefined && JSON.stringify(token) !== text
  if (!renew || !(isDue || hasChanged)) return activeSession(parts, token, expires)
  return renewedSession(parts, token)
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
