import { toBase64Url, utf8 } from '../../crypto/encoding.ts'
import { readUnverifiedClaims } from '../id-token/verify-id-token.ts'
import type { JsonObject } from '../parse-json.ts'

/** The keys by which a provider can end the sessions of a client: one of its own sessions, or a person. */
export interface SessionKeys {
  readonly sid?: string
  readonly sub?: string
}

/** The claims of an id_token or a notice about a session at a provider. */
interface ProviderSession {
  readonly issuer: string
  readonly sid?: unknown
  readonly sub?: unknown
}

/**
 * The keys of a session. Issuer and client are part of them: one provider cannot end sessions that came from another.
 * A session without `sid` from the provider has a key that it shares with others of its kind: any notice about a
 * session of this person may be about it.
 */
export async function sessionKeys(
  clientId: string,
  { issuer, sid, sub }: ProviderSession,
): Promise<SessionKeys> {
  const name = isName(sid) ? (['sid', sid] as const) : isName(sub) && (['no sid', sub] as const)
  return {
    ...(name && { sid: await hashOf(name[0], issuer, clientId, name[1]) }),
    ...(isName(sub) && { sub: await hashOf('sub', issuer, clientId, sub) }),
  }
}

/** The key of a notice, by which it is known when it comes again. */
export function noticeKey(clientId: string, issuer: string, jti: string): Promise<string> {
  return hashOf('jti', issuer, clientId, jti)
}

/**
 * Distinguishes a sign-in at a provider from others of the same person, by any id_token that came of it: at the
 * sign-in, or later with refreshed tokens. Undefined without an id_token.
 */
export async function signInDigest(idToken: string | undefined): Promise<string | undefined> {
  const claims = idToken === undefined ? null : claimsIn(idToken)
  if (!idToken || !claims) return undefined
  const { sid, auth_time } = claims
  // OIDC Core §12.2: refreshed ones have the same auth_time, if any.
  return hashOf('sign-in', ...(isName(sid) ? ['sid', sid] : ['at', String(auth_time ?? idToken)]))
}

/**
 * Whether an id_token came from the session of a notice, and not after it. One that does not name its session may
 * have.
 */
export function isOfNotice(
  idToken: string | undefined,
  { sid, issuedAt }: { readonly sid: string | undefined; readonly issuedAt: number },
): boolean {
  const claims = idToken === undefined ? null : claimsIn(idToken)
  if (!claims || typeof claims['iat'] !== 'number') return false
  const isOther = sid !== undefined && isName(claims['sid']) && claims['sid'] !== sid
  return !isOther && Math.floor(claims['iat']) <= issuedAt
}

/**
 * Whether an account belongs to the person whom a notice names, as far as its id_token shows: an application's id for
 * one person may be the provider's id for another.
 */
export function isOfPerson(
  idToken: string | undefined,
  { issuer, sub }: { readonly issuer: string; readonly sub: string | undefined },
): boolean {
  const claims = idToken === undefined ? null : claimsIn(idToken)
  return !claims || (claims['iss'] === issuer && claims['sub'] === sub)
}

function claimsIn(idToken: string): JsonObject | null {
  try {
    return readUnverifiedClaims(idToken)
  } catch {
    return null // whatever an application keeps as id_token
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

const KEY_BYTES = 16

async function hashOf(...facts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(JSON.stringify(facts)))
  return toBase64Url(new Uint8Array(digest, 0, KEY_BYTES))
}
