import { isLater } from '../is-later.ts'
import type { Awaitable } from '../model.ts'
import { fromBase64Url, fromUtf8, isBase64Url, isCanonicalEnd } from './encoding.ts'
import { deriveKey, type TokenKey } from './keys.ts'
import type { ContentEncryption, CryptoPrimitives, Sealed } from './primitives.ts'

/** Claims of a token. */
export type Claims = Record<string, unknown>

/** A token that was opened: its claims, and their exact text, which tells whether they changed. */
export interface Opened {
  readonly claims: Claims
  readonly text: string
}

/** Why a token was not opened. */
export type OpenFailure =
  /** Not a token of this form at all. */
  | 'malformed'
  /** Encrypted in a way that we neither issue nor accept. */
  | 'unsupported'
  /** Sealed with none of the secrets, or for another purpose. */
  | 'unknown key'
  /** Changed after it was sealed. */
  | 'forged'
  | 'expired'
  /** To be used only later. */
  | 'premature'

/** Seals and opens tokens for one purpose, with one list of secrets. */
export interface Sealer {
  /** Encrypts claims, which get a new `iat`, `exp` and `jti`. */
  seal(claims: Claims, maxAge: number, now: number): Awaitable<string>
  /** Decrypts a token and checks its times. `now` in milliseconds. */
  open(token: string, now: number): Awaitable<Opened | OpenFailure>
}

const DOT = 0x2e

/** How far the clocks of two servers may differ, in seconds. */
const CLOCK_TOLERANCE = 15

/**
 * Makes a {@link Sealer}. Keys are derived at the first use and kept: the newest secret, which
 * stands first, seals; any of them opens.
 *
 * The format is JWE compact serialisation, `dir` with `A256CBC-HS512`, as `jose` writes it.
 */
export function createSealer<Key>(
  primitives: CryptoPrimitives<Key>,
  secrets: readonly string[],
  purpose: string,
): Sealer {
  type Keys = readonly TokenKey<Key>[]
  // The key of an empty secret is known to everybody, so it must not open anything either.
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError('a secret is needed to seal a token, and none may be empty')
  }

  let keys: Keys | undefined
  const derived = new Map<ContentEncryption, Promise<Keys>>()

  function keysFor(encryption: ContentEncryption): Promise<Keys> {
    let all = derived.get(encryption)
    if (!all) {
      all = Promise.all(secrets.map(each => deriveKey(primitives, each, purpose, encryption)))
      derived.set(encryption, all)
    }
    return all
  }

  async function loadKeys(): Promise<Keys> {
    keys = await keysFor('A256CBC-HS512')
    return keys
  }

  function decrypt(
    key: TokenKey<Key>,
    header: string,
    rest: string,
    now: number,
  ): Awaitable<Opened | OpenFailure> {
    const sealed = splitSealed(rest)
    if (!sealed) return 'malformed'
    const text = primitives.decrypt(key.key, key.encryption, header, sealed)
    return isLater(text) ? text.then(later => readClaims(later, now)) : readClaims(text, now)
  }

  /** For everything that does not start like a token of ours: another header, or another key. */
  async function openForeign(token: string, now: number): Promise<Opened | OpenFailure> {
    const end = token.indexOf('.')
    const header = token.slice(0, end)
    const facts = readHeader(header)
    if (typeof facts === 'string') return facts
    if (token[end + 1] !== '.') return 'malformed' // `dir` has no encrypted key
    const candidates = await keysFor(facts.encryption)
    // Without a key id there is nothing to choose by: the newest secret it is.
    const key =
      facts.kid === undefined ? candidates[0] : candidates.find(each => each.kid === facts.kid)
    if (!key) return 'unknown key'
    const opened = await decrypt(key, header, token.slice(end + 2), now)
    if (typeof opened === 'string') return opened
    return repeatsClaims(facts.claims, opened.claims) ? opened : 'malformed'
  }

  function openWith(all: Keys, token: string, now: number): Awaitable<Opened | OpenFailure> {
    for (const key of all) {
      const { header } = key
      const end = header.length
      // A slice that is compared is faster than `startsWith`, and this runs on every request.
      if (token.charCodeAt(end) === DOT && token.slice(0, end) === header) {
        if (token.charCodeAt(end + 1) !== DOT) return 'malformed' // `dir` has no encrypted key
        return decrypt(key, header, token.slice(end + 2), now)
      }
    }
    return openForeign(token, now)
  }

  return {
    async seal(claims, maxAge, now) {
      const [key] = keys ?? (await loadKeys())
      if (!key) throw new TypeError('a secret is needed to seal a token')
      const iat = Math.floor(now / 1000)
      const text = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: crypto.randomUUID() })
      const { iv, ciphertext, tag } = await primitives.encrypt(key.key, key.header, text)
      return `${key.header}..${iv}.${ciphertext}.${tag}`
    },
    open: (token, now) =>
      keys ? openWith(keys, token, now) : loadKeys().then(all => openWith(all, token, now)),
  }
}

/** The three parts after the header. Where they are not exactly that, null. */
function splitSealed(rest: string): Sealed | null {
  const first = rest.indexOf('.')
  const second = rest.indexOf('.', first + 1)
  if (first === -1 || second === -1 || rest.includes('.', second + 1)) return null
  const iv = rest.slice(0, first)
  const ciphertext = rest.slice(first + 1, second)
  const tag = rest.slice(second + 1)
  return isCanonicalEnd(iv) && isCanonicalEnd(ciphertext) && isCanonicalEnd(tag)
    ? { iv, ciphertext, tag }
    : null
}

interface HeaderFacts {
  readonly encryption: ContentEncryption
  readonly kid: string | undefined
  readonly claims: Claims
}

function readHeader(header: string): HeaderFacts | OpenFailure {
  const members = parseObject(header)
  if (!members) return 'malformed'
  const { alg, enc, kid } = members as { alg?: unknown; enc?: unknown; kid?: unknown }
  if (alg !== 'dir' || (enc !== 'A256CBC-HS512' && enc !== 'A256GCM')) return 'unsupported'
  // RFC 7516 §4.1.13: what is marked critical must be understood. Nothing is, nor is compression.
  if ('crit' in members || 'zip' in members || 'b64' in members) return 'unsupported'
  if (kid !== undefined && typeof kid !== 'string') return 'malformed'
  return { encryption: enc, kid, claims: members }
}

function parseObject(encoded: string): Claims | null {
  const bytes = isBase64Url(encoded) ? fromBase64Url(encoded) : null
  if (!bytes) return null
  try {
    return asObject(JSON.parse(fromUtf8(bytes)))
  } catch {
    return null
  }
}

function asObject(value: unknown): Claims | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Claims) // an object that JSON made: its members are unknown, as Claims says
    : null
}

/** RFC 7519 §5.3: claims that are repeated in the header must be the same there. */
function repeatsClaims(header: Claims, claims: Claims): boolean {
  return ['iss', 'sub', 'aud'].every(
    name => !(name in header) || JSON.stringify(header[name]) === JSON.stringify(claims[name]),
  )
}

function readClaims(text: string | null, now: number): Opened | OpenFailure {
  if (text === null) return 'forged'
  let claims: Claims | null
  try {
    claims = asObject(JSON.parse(text))
  } catch {
    return 'malformed'
  }
  if (!claims) return 'malformed'
  const { exp, nbf, iat } = claims as { exp?: unknown; nbf?: unknown; iat?: unknown }
  if (!isTime(exp) || !isTime(nbf) || !isTime(iat)) return 'malformed'
  const seconds = Math.floor(now / 1000)
  if (exp !== undefined && exp <= seconds - CLOCK_TOLERANCE) return 'expired'
  if (nbf !== undefined && nbf > seconds + CLOCK_TOLERANCE) return 'premature'
  return { claims, text }
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isFinite(value))
}
