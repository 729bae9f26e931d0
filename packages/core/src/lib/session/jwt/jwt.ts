import { primitives } from '#crypto'
import type { Awaitable } from '../../base/awaitable.ts'
import type { LoggerInstance } from '../../base/logger.ts'
import type { JWT } from '../../base/session.ts'
import { createSealer, type Sealer } from '../../crypto/jwe.ts'
import { saltFor } from '../../crypto/keys.ts'
import type { OpenFailure } from '../../crypto/opened-token.ts'
import { isPublishedSecret, PUBLISHED_SECRET } from '../../crypto/published-secrets.ts'
import { findSession } from '../../http/find-session-cookie.ts'
import { isHeaders, readHeader } from '../../http/request-headers.ts'
import { describeFailure } from './describe-failure.ts'

const DEFAULT_MAX_AGE = 30 * 24 * 60 * 60

/** The arguments of {@link encode}. */
export interface JWTEncodeParams<Payload = JWT> {
  /** Seconds until the token expires. */
  maxAge?: number
  /**
   * The purpose of the keys: the cookie's name. With `session.audience`, preceded by the audience and a space.
   */
  salt: string
  /** With several, the first encrypts. */
  secret: string | string[]
  token?: Payload
}

/** The arguments of {@link decode}. */
export interface JWTDecodeParams {
  salt: string
  /** With several, the one the token names decrypts it. */
  secret: string | string[]
  token?: string
}

/** How session tokens are written and read. */
export interface JWTOptions {
  /** Used instead of the configured secret. */
  secret: string | string[]
  /** Seconds until a token expires. Defaults to `session.maxAge`. */
  maxAge: number
  /**
   * How many bytes of memory to use for the claims of recently opened tokens, so that the next
   * request with the same cookie needs no cryptography. Expiry is still checked. Defaults to 2 MiB,
   * about 1000 sessions; 0 turns it off, and every request decrypts its token.
   */
  cacheBytes?: number | undefined
  /** Writes a token. It must protect the contents from being changed. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Reads a token. Return null or throw if it is not yours. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
}

/**
 * Encrypts claims as a session token.
 *
 * @example
 * ```ts
 * import { encode } from '@siteauth/core/jwt'
 *
 * export const cookieForTests: Promise<string> = encode({
 *   token: { sub: 'user-1', name: 'Ann' },
 *   secret: process.env['AUTH_SECRET'] ?? '',
 *   salt: 'authjs.session-token',
 * })
 * ```
 */
export async function encode<Payload extends Record<string, unknown> = JWT>(
  params: JWTEncodeParams<Payload>,
): Promise<string> {
  const { token, secret, salt, maxAge = DEFAULT_MAX_AGE } = params
  await rejectPublished(secret)
  return sealerFor(secret, salt).seal(token ?? {}, maxAge, Date.now())
}

/**
 * Decrypts a session token. Throws if it is forged, expired, or encrypted with another secret. Does
 * not check whether the session was ended: use `getSession` for that.
 */
export async function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  const { token, secret, salt } = params
  if (!token) return null
  await rejectPublished(secret)
  const opened = await sealerFor(secret, salt).open(token, Date.now())
  if (typeof opened === 'string') throw decodeError(opened)
  return opened.claims as Payload // the caller names the type of the claims that it sealed
}

/** The arguments of {@link getToken}. */
export interface GetTokenParams<Raw extends boolean = false> {
  /** The request, or anything with its headers. */
  req: Request | { headers: Headers | Record<string, string | string[] | undefined> }
  /** Whether the cookie has the `__Secure-` prefix, as it does over HTTPS. */
  secureCookie?: boolean
  cookieName?: string
  /** Return the token itself rather than its claims. */
  raw?: Raw
  decode?: JWTOptions['decode']
  /** The application's `session.audience`, if it has one. */
  audience?: string
  /** Defaults to the cookie's name, preceded by the audience and a space if there is one. */
  salt?: string
  secret?: string | string[]
  logger?: LoggerInstance | Console
}

/**
 * Reads the claims in a request's session token, from its cookie or its `Authorization` header.
 * Null if there is no valid token. Does not check whether the session was ended: use `getSession`
 * for that.
 *
 * @example
 * ```ts
 * import { getToken } from '@siteauth/core/jwt'
 *
 * export async function whoIs(req: Request): Promise<string | undefined> {
 *   const token = await getToken({ req, secret: process.env['AUTH_SECRET'] ?? '' })
 *   return token?.sub
 * }
 * ```
 */
export async function getToken(params: GetTokenParams<true> & { raw: true }): Promise<string | null>
export async function getToken(params: GetTokenParams<false>): Promise<JWT | null>
export async function getToken(params: GetTokenParams): Promise<JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, raw, secret } = params
  if (!req) throw new TypeError('getToken needs `req`: the request, or an object with its headers')
  const name = `${params.secureCookie ? '__Secure-' : ''}authjs.session-token`
  const { cookieName = name, salt = saltFor(cookieName, params) } = params
  const token =
    findSession(headerOf(req, 'cookie'), cookieName)?.token ??
    bearerToken(headerOf(req, 'authorization'))
  if (!token) return null
  if (raw) return token
  if (!secret || secret.length === 0) {
    const { MissingSecretError } = await import('../../base/errors.ts')
    throw new MissingSecretError('getToken needs `secret`: pass the value of AUTH_SECRET.')
  }
  await rejectPublished(secret)
  try {
    return await (params.decode ?? decode)({ token, secret, salt })
  } catch {
    return null
  }
}

/** What such a secret opens, anyone may have made. */
async function rejectPublished(secret: string | string[]): Promise<void> {
  if (![secret].flat().some(isPublishedSecret)) return
  const { MissingSecretError } = await import('../../base/errors.ts')
  throw new MissingSecretError(PUBLISHED_SECRET)
}

/** With the names and codes that code written for `jose`, which used to do this, may look at. */
function decodeError(failure: OpenFailure): Error {
  const { name, code } = joseNames[failure]
  return Object.assign(new Error(describeFailure(failure)), { name, ...(code && { code }) })
}

const joseNames: Readonly<Record<OpenFailure, { readonly name: string; readonly code?: string }>> =
  {
    malformed: { name: 'JWEInvalid', code: 'ERR_JWE_INVALID' },
    unsupported: { name: 'JOSEAlgNotAllowed', code: 'ERR_JOSE_ALG_NOT_ALLOWED' },
    'unknown key': { name: 'Error' },
    forged: { name: 'JWEDecryptionFailed', code: 'ERR_JWE_DECRYPTION_FAILED' },
    expired: { name: 'JWTExpired', code: 'ERR_JWT_EXPIRED' },
    premature: { name: 'JWTClaimValidationFailed', code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' },
  }

// Deriving a key costs more than opening a token, and these functions are called per request, without a configuration. What
// is kept depends on nothing but its key in this map, so nothing leaks from one use to another.
const sealers = new Map<string, Sealer>()
const MAX_SEALERS = 64

function sealerFor(secret: string | string[], salt: string): Sealer {
  const secrets = typeof secret === 'string' ? [secret] : secret
  const key = JSON.stringify([salt, ...secrets])
  let sealer = sealers.get(key)
  if (!sealer) {
    sealer = createSealer(primitives, secrets, salt)
    const [oldest] = sealers.keys()
    if (sealers.size >= MAX_SEALERS && oldest !== undefined) sealers.delete(oldest)
    sealers.set(key, sealer)
  }
  return sealer
}

/** Header names are the same in any case; Node writes them in lower case, people do not. */
function headerOf({ headers }: GetTokenParams['req'], name: string): string | null {
  const found = readHeader(headers, name)
  if (found !== null || isHeaders(headers)) return found
  const written = Object.keys(headers).find(each => each.toLowerCase() === name)
  return written ? readHeader({ [name]: headers[written] }, name) : null
}

function bearerToken(header: string | null): string | null {
  const [, value] = /^Bearer +([^ ]+) *$/i.exec(header ?? '') ?? []
  if (!value) return null
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
