import { toBase64Url, utf8 } from './encoding.ts'
import type { ContentEncryption, CryptoPrimitives } from './primitives.ts'

/** A key that opens tokens of one kind, with everything about it that can be known beforehand. */
export interface TokenKey<Key> {
  readonly encryption: ContentEncryption
  /** RFC 7638 thumbprint of the key. */
  readonly kid: string
  /** The protected header of the tokens that we issue with this key, in base64url. */
  readonly header: string
  readonly key: Key
}

const lengths = { 'A256CBC-HS512': 64, A256GCM: 32 } as const

/**
 * Derives the key for one secret and one purpose. The purpose is the name of the cookie, so a value
 * that was sealed for one cookie never opens in another. The wording of `info` is part of the wire
 * format: with any other one, everyone would be signed out.
 */
export async function deriveKey<Key>(
  primitives: CryptoPrimitives<Key>,
  secret: string,
  purpose: string,
  encryption: ContentEncryption,
): Promise<TokenKey<Key>> {
  const info = `Auth.js Generated Encryption Key (${purpose})`
  const bits = await primitives.deriveBits(secret, purpose, info, lengths[encryption])
  const digest = encryption === 'A256GCM' ? 'SHA-256' : 'SHA-512'
  const kid = toBase64Url(
    await primitives.digest(digest, `{"k":"${toBase64Url(bits)}","kty":"oct"}`),
  )
  const header = toBase64Url(utf8(`{"alg":"dir","enc":"${encryption}","kid":"${kid}"}`))
  return { encryption, kid, header, key: await primitives.importKey(encryption, bits, header) }
}

/**
 * A key is derived for a purpose, which is the name of a cookie, and for an audience if there is one. A cookie's name
 * cannot contain a space, so no two pairs make the same text.
 */
export function saltFor(
  purpose: string,
  about: { readonly audience?: string | undefined } | undefined,
): string {
  return about?.audience === undefined ? purpose : `${about.audience} ${purpose}`
}
