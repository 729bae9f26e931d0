import type { Awaitable } from '../base/awaitable.ts'

/**
 * The operations that differ between runtimes: everything that touches a key. Node returns at once, WebCrypto later;
 * callers await both. `#crypto` in package.json picks the side.
 */
export interface CryptoPrimitives<Key = unknown> {
  /** HKDF with SHA-256. */
  deriveBits(
    secret: string,
    salt: string,
    info: string,
    length: number,
  ): Awaitable<Uint8Array<ArrayBuffer>>
  digest(algorithm: 'SHA-256' | 'SHA-512', text: string): Awaitable<Uint8Array<ArrayBuffer>>
  /** Makes a derived key ready for use, so that no request pays for it. */
  importKey(
    encryption: ContentEncryption,
    bits: Uint8Array<ArrayBuffer>,
    /** That of the tokens that we write with it. */
    header: string,
  ): Awaitable<Key>
  /**
   * Encrypts with A256CBC-HS512.
   *
   * @param additional what is authenticated besides, in ASCII
   * @param random 16 bytes that were never used before
   */
  encrypt(
    key: Key,
    additional: string,
    plaintext: string,
    random: Uint8Array<ArrayBuffer>,
  ): Awaitable<Sealed>
  /** The plaintext, or null if anything at all is not as it was sealed. */
  decrypt(
    key: Key,
    encryption: ContentEncryption,
    additional: string,
    sealed: Sealed,
  ): Awaitable<string | null>
}

/** How the content of a token is encrypted: what we issue, and the other that we accept. */
export type ContentEncryption = 'A256CBC-HS512' | 'A256GCM'

/** The three encrypted parts of a token: of the alphabet of base64url, and otherwise as they came. */
export interface Sealed {
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}
