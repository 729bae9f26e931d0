import type * as oauth from 'oauth4webapi'
import { fromBase64Url } from '#crypto'
import { CLOCK_TOLERANCE } from '../../base/ports.ts'
import { fromUtf8, toBase64Url, utf8 } from '../../crypto/encoding.ts'
import { type JsonObject, parseJsonObject } from '../parse-json.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'
import { tokenOf, verifySignature } from './verify-signature.ts'

/** The claims of an id_token that were checked. */
export type IdTokenClaims = oauth.IDToken

/**
 * Checks what OIDC Core §3.1.3.7 asks for and the protocol library leaves to its callers: the
 * signature, the authorized party, the hash of the access token, and sane times. `response` is the
 * one that the library took the token from.
 */
export async function verifyIdToken(
  tokens: { readonly id_token: string; readonly access_token: string },
  claims: IdTokenClaims,
  context: {
    readonly response: Response
    readonly server: Server
    readonly clientId: string
    readonly clientSecret: string | undefined
    /** The only algorithm that is taken, where the client registered one. */
    readonly registeredAlg: string | undefined
    readonly listedAlgs: unknown
    readonly now: number
  },
): Promise<void> {
  const verify = tokenOf(context.response)
  const { alg } = await verifySignature(tokens.id_token, {
    ...context,
    keyUse: 'response',
    verify,
  })
  checkSubject(claims.sub)
  if (claims.azp !== undefined && claims.azp !== context.clientId) {
    throw new ProviderError('the id_token was issued for another client', { claim: 'azp' })
  }
  checkTimes(claims, Math.floor(context.now / 1000))
  const atHash = claims['at_hash']
  if (atHash !== undefined && atHash !== (await tokenHash(tokens.access_token, alg))) {
    throw new ProviderError('the id_token does not match the access_token', {
      claim: 'at_hash',
    })
  }
}

/** The claims of a token of whatever origin: to choose how to check it, and for nothing else. */
export function readUnverifiedClaims(token: string): JsonObject {
  const [, payload = ''] = token.split('.', 3)
  const bytes = fromBase64Url(payload)
  const claims = bytes && parseJsonObject(decode(bytes) ?? '')
  if (!claims) throw new ProviderError('the id_token is not a JWT')
  return claims
}

function decode(bytes: Uint8Array): string | null {
  try {
    return fromUtf8(bytes)
  } catch {
    return null
  }
}

/** OIDC Core §2: at most 255 characters, and it is all that tells people apart. */
function checkSubject(subject: string): void {
  if (subject.trim() !== '' && subject.length <= 255) return
  throw new ProviderError(`expected a sub of 1 to 255 characters, found ${subject.length}`)
}

const DAY = 86_400
const YEAR_9999 = 253_402_300_799

function checkTimes({ iat, exp }: IdTokenClaims, seconds: number): void {
  if (!(iat <= seconds + CLOCK_TOLERANCE)) {
    throw badTime('iat', 'a time in the past (set the clock of this server)', iat)
  }
  // It was issued for this very sign-in.
  if (!(iat >= seconds - DAY)) throw badTime('iat', 'a time within the last day', iat)
  if (!(exp <= YEAR_9999)) throw badTime('exp', 'a time', exp)
}

function badTime(claim: string, expected: string, found: number): ProviderError {
  return new ProviderError(`expected ${expected} as ${claim} of the id_token`, { claim, found })
}

/** OIDC Core §3.1.3.6: the left half of the hash that the signature uses. */
async function tokenHash(accessToken: string, alg: string): Promise<string> {
  const hash = alg.startsWith('Ed') ? 'SHA-512' : `SHA-${alg.slice(-3)}`
  const digest = new Uint8Array(await crypto.subtle.digest(hash, utf8(accessToken)))
  return toBase64Url(digest.subarray(0, digest.length / 2))
}
