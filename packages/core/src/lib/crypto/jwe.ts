import type { Awaitable } from '../base/awaitable.ts'
import { isPromise, lazily } from '../base/awaitable.ts'
import { CLOCK_TOLERANCE } from '../base/ports.ts'
import { deriveKey, type TokenKey } from './keys.ts'
import { asObject, type Claims, type Opened, type OpenFailure } from './opened-token.ts'
import type { ContentEncryption, CryptoPrimitives } from './primitives.ts'

/** Seals and opens tokens for one purpose, with one list of secrets. */
export interface Sealer {
  /** Encrypts claims, which get a new `iat`, `exp` and `jti`. */
  seal(claims: Claims, maxAge: number, now: number): Awaitable<string>
  /** Decrypts a token and checks its times. `now` in milliseconds. */
  open(token: string, now: number): Awaitable<Opened | OpenFailure>
}

// Tokens are opened all the time and sealed now and then.
const sealing = lazily(() => import('./seal-token.ts'))

const DOT = 0x2e
/** The three parts after the header: IV, ciphertext and tag. */
const SEALED = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/

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
  // The key of an empty secret is known to everyone, so it must not open anything either.
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError('at least one secret is required, and none may be empty')
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
    const found = SEALED.exec(rest)
    if (!found) return 'malformed'
    const [, iv, ciphertext, tag] = found as unknown as [string, string, string, string] // none optional
    const text = primitives.decrypt(key.key, key.encryption, header, { iv, ciphertext, tag })
    return isPromise(text) ? text.then(later => readClaims(later, now)) : readClaims(text, now)
  }

  /** For tokens that do not start like ours: rare, so it is loaded then. */
  async function openForeign(token: string, now: number): Promise<Opened | OpenFailure> {
    const foreign = await import('./foreign-token.ts')
    return foreign.openForeign(token, keysFor, (key, header, rest) =>
      decrypt(key, header, rest, now),
    )
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
      return sealing(({ sealToken }) => sealToken(primitives, key, claims, maxAge, now))
    },
    open: (token, now) =>
      keys ? openWith(keys, token, now) : loadKeys().then(all => openWith(all, token, now)),
  }
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
  return value === undefined || Number.isFinite(value)
}
