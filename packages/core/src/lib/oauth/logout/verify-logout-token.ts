import * as oauth from 'oauth4webapi'
import { fromBase64Url } from '#crypto'
import { CLOCK_TOLERANCE } from '../../base/ports.ts'
import { fromUtf8 } from '../../crypto/encoding.ts'
import { verifySignature } from '../id-token/verify-signature.ts'
import { type JsonObject, parseJsonObject } from '../parse-json.ts'
import { clientAt, withoutSecrets } from '../protocol-library.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'

/** The sessions that a provider has ended: one of its own, or all of a person. */
export interface LogoutNotice {
  readonly issuer: string
  /** The person who was signed out. */
  readonly sub: string | undefined
  /** The session at the provider. Undefined: all of this person. */
  readonly sid: string | undefined
  /** Tells this notice from others of the issuer. */
  readonly jti: string
  /** When it was made, by the issuer's clock, in seconds. */
  readonly issuedAt: number
  /** When it is useless. */
  readonly expiresAt: number
}

/** A logout token that may be a notice: who made it is yet to be seen. */
export interface UnprovenNotice extends Omit<LogoutNotice, 'issuer'> {
  readonly token: string
  readonly claims: JsonObject
  /** Its header, before the signature is verified. */
  readonly alg: unknown
}

/**
 * Reads a logout token by all rules of OpenID Connect Back-Channel Logout §2.6 that need only the token, so that an
 * invalid notice never causes a request for keys. Throws a {@link ProviderError} if a rule is violated.
 */
export function readLogoutToken(token: string, clientId: string, now: number): UnprovenNotice {
  const [header, claims] = readToken(token)
  checkType(header)
  const notice = checkClaims(claims, { clientId, seconds: Math.floor(now / 1000) })
  return { ...notice, token, claims, alg: header['alg'] }
}

/**
 * Checks the rest: its issuer. The remaining question is whether it was received before. Rejects with a {@link
 * ProviderError}.
 */
export function verifyLogoutToken(...sent: Parameters<typeof verify>): Promise<LogoutNotice> {
  return withoutSecrets(() => verify(...sent))
}

async function verify(
  provider: ResolvedOAuthProvider,
  { token, claims, alg: _, ...notice }: UnprovenNotice,
  server: Server,
  now: number,
): Promise<LogoutNotice> {
  const issuer = issuerOf(provider, server, claims)
  assertClaim(claims['iss'] === issuer, 'iss', 'the issuer')
  await checkSignature(provider, token, { ...server.metadata, issuer }, server, now)
  return { ...notice, issuer }
}

/** The largest that is looked at, in letters. Those of providers have a few hundred. */
const MAX_TOKEN_LENGTH = 16_384

function readToken(token: string): readonly [JsonObject, JsonObject] {
  // An encrypted token has five parts. Clients cannot register a key for that here.
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
    throw new ProviderError('expected a signed token as logout_token')
  }
  const [header, claims] = token.split('.', 2).map(readPart)
  if (!header || !claims) throw new ProviderError('the logout_token is not a JWT')
  return [header, claims]
}

function readPart(part: string): JsonObject | null {
  const bytes = fromBase64Url(part)
  try {
    return bytes && parseJsonObject(fromUtf8(bytes))
  } catch {
    return null // not even text
  }
}

/**
 * §2.4 specifies `logout+jwt`, which older providers do not use. They send `JWT`, or nothing; any other type is for
 * another purpose. An id_token differs from a notice by `events` and `nonce`.
 */
function checkType({ typ, crit }: JsonObject): void {
  const kind = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (kind !== undefined && kind !== 'logout+jwt' && kind !== 'jwt') {
    throw new ProviderError('expected logout+jwt as typ of the logout_token')
  }
  if (crit !== undefined) throw new ProviderError('the logout_token demands what nobody knows here')
}

function issuerOf({ config, issuer }: ResolvedOAuthProvider, server: Server, claims: JsonObject) {
  const { issuerFor } = config
  const configured = issuer ?? server.metadata.issuer
  return issuerFor
    ? issuerFor.call(config, configured, claims, server.issuer)
    : server.metadata.issuer
}

/** As that of an id_token: by the same keys, and the same algorithms. */
async function checkSignature(
  provider: ResolvedOAuthProvider,
  token: string,
  metadata: oauth.AuthorizationServer,
  { keys }: Server,
  now: number,
): Promise<void> {
  const { authorization_signed_response_alg: _, ...client } = clientAt(provider.client, now)
  const registeredAlg = client.id_token_signed_response_alg
  const listedAlgs = metadata.id_token_signing_alg_values_supported
  await verifySignature(token, {
    // The library has no door for these tokens. This one is for any that names issuer and audience, and
    // ends; what else it looks for would be parameters that no notice has.
    verify: (server, { [oauth.jwksCache]: cache }) =>
      oauth.validateJwtAuthResponse(
        { ...server, authorization_signing_alg_values_supported: listedAlgs ?? ['RS256'] },
        registeredAlg ? { ...client, authorization_signed_response_alg: registeredAlg } : client,
        new URLSearchParams({ response: token }),
        oauth.expectNoState,
        { [oauth.jwksCache]: cache },
      ),
    server: { metadata, keys },
    keyUse: 'logout token',
    clientSecret: provider.clientFacts.clientSecret,
    registeredAlg,
    listedAlgs: provider.clientFacts.method === 'none' ? undefined : listedAlgs,
  })
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** How old a notice may be, in seconds, however long it says that it lives. */
const OLDEST = 5 * 60

function checkClaims(
  claims: JsonObject,
  { clientId, seconds }: { readonly clientId: string; readonly seconds: number },
): Omit<LogoutNotice, 'issuer'> {
  const { aud, iat, exp, jti, sub, sid, events } = claims
  assertClaim([aud].flat().includes(clientId), 'aud', 'this client')
  assertClaim(isTime(iat) && iat <= seconds + CLOCK_TOLERANCE, 'iat', 'a time in the past')
  assertClaim(
    iat > seconds - OLDEST - CLOCK_TOLERANCE,
    'iat',
    'a time within the last five minutes',
  )
  assertClaim(isTime(exp) && exp > seconds - CLOCK_TOLERANCE, 'exp', 'a time to come')
  assertClaim(isName(jti), 'jti', 'a name')
  assertClaim(sub === undefined || isName(sub), 'sub', 'a name')
  assertClaim(sid === undefined || isName(sid), 'sid', 'a name')
  assertClaim(sub !== undefined || sid !== undefined, 'sub', 'it, or a sid')
  assertClaim(isObject(events) && isObject(events[LOGOUT_EVENT]), 'events', 'that of a logout')
  // So that no id_token passes for a notice.
  assertClaim(!('nonce' in claims), 'nonce', 'none')
  // RFC 7519 §2 allows fractions, which no store counts in.
  const issuedAt = Math.floor(iat)
  return { sub, sid, jti, issuedAt, expiresAt: Math.ceil(Math.min(exp, iat + OLDEST)) }
}

function assertClaim(isSound: boolean, claim: string, expected: string): asserts isSound {
  if (!isSound)
    throw new ProviderError(`the logout_token: expected ${expected} as ${claim}`, { claim })
}

/** Seconds until the year 9999. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 253_402_300_799
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1000
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
