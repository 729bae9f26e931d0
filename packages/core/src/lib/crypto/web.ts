import { fromUtf8, toBase64Url, utf8 } from './encoding.ts'
import type { CryptoPrimitives } from './primitives.ts'

type Bytes = Uint8Array<ArrayBuffer>

interface WebKey {
  readonly encryption: CryptoKey
  readonly mac: CryptoKey | null
}

/** The WebCrypto side: for every runtime that is not Node. Keys are imported once, never per call. */
export const primitives: CryptoPrimitives<WebKey> = {
  deriveBits: async (secret, salt, info, length) => {
    const material = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, [
      'deriveBits',
    ])
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: utf8(salt), info: utf8(info) }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, length * 8))
  },

  digest: async (algorithm, text) =>
    new Uint8Array(await crypto.subtle.digest(algorithm, utf8(text))),

  importKey: async (encryption, bits) => {
    if (encryption === 'A256GCM') {
      const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['decrypt'])
      return { encryption: key, mac: null }
    }
    // RFC 7518 §5.2.2.1: the first half authenticates, the second half encrypts.
    const [mac, key] = await Promise.all([
      crypto.subtle.importKey(
        'raw',
        bits.subarray(0, 32),
        { name: 'HMAC', hash: 'SHA-512' },
        false,
        ['sign'],
      ),
      crypto.subtle.importKey('raw', bits.subarray(32), 'AES-CBC', false, ['encrypt', 'decrypt']),
    ])
    return { encryption: key, mac }
  },

  encrypt: async (key, additional, plaintext, iv) => {
    const ciphertext = new Uint8Array(
      await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key.encryption, utf8(plaintext)),
    )
    const tag = await authenticate(key, additional, iv, ciphertext)
    return {
      iv: toBase64Url(iv),
      ciphertext: toBase64Url(ciphertext),
      tag: toBase64Url(tag),
    }
  },

  decrypt: async (key, encryption, additional, sealed) => {
    const iv = fromBase64Url(sealed.iv)
    const ciphertext = fromBase64Url(sealed.ciphertext)
    if (!iv || !ciphertext) return null
    try {
      const plaintext =
        encryption === 'A256CBC-HS512'
          ? await decryptCbc(key, additional, iv, ciphertext, sealed.tag)
          : await decryptGcm(key, additional, iv, ciphertext, sealed.tag)
      return plaintext && fromUtf8(new Uint8Array(plaintext))
    } catch {
      return null // a wrong padding, a wrong tag, or no UTF-8: to the caller all the same
    }
  },
}

async function decryptCbc(
  key: WebKey,
  additional: string,
  iv: Bytes,
  ciphertext: Bytes,
  tag: string,
): Promise<ArrayBuffer | null> {
  if (iv.length !== 16) return null
  const expected = await authenticate(key, additional, iv, ciphertext)
  if (!equalInConstantTime(toBase64Url(expected), tag)) return null
  return crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key.encryption, ciphertext)
}

async function decryptGcm(
  key: WebKey,
  additional: string,
  iv: Bytes,
  ciphertext: Bytes,
  tag: string,
): Promise<ArrayBuffer | null> {
  const tagBytes = fromBase64Url(tag)
  if (iv.length !== 12 || tagBytes?.length !== 16) return null
  const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(additional), tagLength: 128 }
  return crypto.subtle.decrypt(algorithm, key.encryption, concat(ciphertext, tagBytes))
}

/** RFC 7518 §5.2.2.1: HMAC over header, IV, ciphertext and the header's length in bits; half of it. */
async function authenticate(
  key: WebKey,
  additional: string,
  iv: Bytes,
  ciphertext: Bytes,
): Promise<Bytes> {
  if (!key.mac) throw new TypeError('an A256GCM key cannot authenticate A256CBC-HS512')
  const bitLength = new Uint8Array(8)
  new DataView(bitLength.buffer).setUint32(4, additional.length * 8)
  const signed = concat(utf8(additional), iv, ciphertext, bitLength)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key.mac, signed), 0, 32)
}

function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NONE = 64
const values = new Uint8Array(128).fill(NONE)
for (const [value, character] of [...ALPHABET].entries()) values[character.charCodeAt(0)] = value

/**
 * Base64url without padding as bytes. Null for anything that an encoder would not write: several texts
 * must not stand for the same bytes. Not by `atob`, which has another alphabet, takes blanks and padding,
 * and answers a text.
 */
export function fromBase64Url(text: string): Bytes | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let index = 0; index < text.length; index++) {
    const value = values[text.charCodeAt(index)] ?? NONE
    if (value === NONE) return null
    bits = (bits << 6) | value
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[at++] = bits >> held
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null
}

/**
 * Whether two texts are equal, in a time that does not depend on where they differ. The time does
 * depend on the lengths, so compare digests or tokens, whose lengths are known.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}
