import { toBase64Url, utf8 } from '../crypto/encoding.ts'

/** By what a provider can end the sessions of a client: one of its own sessions, or a person. */
export interface SessionKeys {
  readonly sid?: string
  readonly sub?: string
}

/** What an id_token or a notice says about a session at a provider. */
interface ProviderSession {
  readonly issuer: string
  readonly sid?: unknown
  readonly sub?: unknown
}

/**
 * The keys of a session. Issuer and client are part of them: what one provider says ends nothing that came
 * of another.
 */
export async function sessionKeys(
  clientId: string,
  { issuer, sid, sub }: ProviderSession,
): Promise<SessionKeys> {
  return {
    ...(isName(sid) && { sid: await hashOf('sid', issuer, clientId, sid) }),
    ...(isName(sub) && { sub: await hashOf('sub', issuer, clientId, sub) }),
  }
}

/** The key of a notice, by which it is known when it comes again. */
export function noticeKey(clientId: string, issuer: string, jti: string): Promise<string> {
  return hashOf('jti', issuer, clientId, jti)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

const KEY_BYTES = 16

async function hashOf(...facts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(JSON.stringify(facts)))
  return toBase64Url(new Uint8Array(digest, 0, KEY_BYTES))
}
