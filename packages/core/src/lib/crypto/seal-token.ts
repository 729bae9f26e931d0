import type { TokenKey } from './keys.ts'
import type { Claims } from './opened-token.ts'
import type { CryptoPrimitives } from './primitives.ts'

/** Encrypts claims, which get a new `iat`, `exp` and `jti`. */
export async function sealToken<Key>(
  primitives: CryptoPrimitives<Key>,
  key: TokenKey<Key> | undefined,
  claims: Claims,
  maxAge: number,
  now: number,
): Promise<string> {
  if (!key) throw new TypeError('a secret is required to seal a token')
  const iat = Math.floor(now / 1000)
  const text = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: crypto.randomUUID() })
  const { iv, ciphertext, tag } = await primitives.encrypt(key.key, key.header, text)
  return `${key.header}..${iv}.${ciphertext}.${tag}`
}
