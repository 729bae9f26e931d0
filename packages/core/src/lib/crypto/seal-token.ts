import { toHex } from './encoding.ts'
import type { TokenKey } from './keys.ts'
import type { Claims } from './opened-token.ts'
import type { CryptoPrimitives } from './primitives.ts'
import { randomBytes, uuidFrom } from './random.ts'

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
  const random = randomBytes(32) // all at once: asking takes longer than their making
  const jti = uuidFrom(toHex(random.subarray(16)))
  const text = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti })
  const sealed = await primitives.encrypt(key.key, key.header, text, random.subarray(0, 16))
  const { iv, ciphertext, tag } = sealed
  return `${key.header}..${iv}.${ciphertext}.${tag}`
}
