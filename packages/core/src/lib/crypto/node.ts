import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { fromUtf8 } from './encoding.ts'
import type { CryptoPrimitives } from './primitives.ts'

interface NodeKey {
  readonly encryption: KeyObject
  readonly mac: KeyObject
}

/**
 * The Node side. All of it is synchronous: a session is opened in a few dozen microseconds, less
 * than it takes to hand the work to another thread and back.
 */
export const primitives: CryptoPrimitives<NodeKey> = {
  deriveBits: (secret, salt, info, length) =>
    new Uint8Array(hkdfSync('sha256', secret, salt, info, length)),

  digest: (algorithm, text) =>
    new Uint8Array(
      createHash(algorithm === 'SHA-256' ? 'sha256' : 'sha512')
        .update(text)
        .digest(),
    ),

  importKey: (encryption, bits) => {
    if (encryption === 'A256GCM') {
      const key = createSecretKey(bits)
      return { encryption: key, mac: key }
    }
    // RFC 7518 §5.2.2.1: the first half authenticates, the second half encrypts.
    return {
      mac: createSecretKey(bits.subarray(0, 32)),
      encryption: createSecretKey(bits.subarray(32)),
    }
  },

  encrypt: (key, additional, plaintext) => {
    const iv = randomBytes(16)
    const cipher = createCipheriv('aes-256-cbc', key.encryption, iv)
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    return {
      iv: iv.toString('base64url'),
      ciphertext: ciphertext.toString('base64url'),
      tag: authenticate(key.mac, additional, iv, ciphertext).toString('base64url'),
    }
  },

  decrypt: (key, encryption, additional, sealed) => {
    const iv = Buffer.from(sealed.iv, 'base64url')
    const ciphertext = Buffer.from(sealed.ciphertext, 'base64url')
    const tag = Buffer.from(sealed.tag, 'base64url')
    return encryption === 'A256CBC-HS512'
      ? decryptCbc(key, additional, iv, ciphertext, tag)
      : decryptGcm(key, additional, iv, ciphertext, tag)
  },
}

function decryptCbc(
  key: NodeKey,
  additional: string,
  iv: Buffer,
  ciphertext: Buffer,
  tag: Buffer,
): string | null {
  if (iv.length !== 16 || tag.length !== 32) return null
  if (!timingSafeEqual(authenticate(key.mac, additional, iv, ciphertext), tag)) return null
  const decipher = createDecipheriv('aes-256-cbc', key.encryption, iv)
  return textOf(() => [decipher.update(ciphertext), decipher.final()])
}

function decryptGcm(
  key: NodeKey,
  additional: string,
  iv: Buffer,
  ciphertext: Buffer,
  tag: Buffer,
): string | null {
  if (iv.length !== 12 || tag.length !== 16) return null
  const decipher = createDecipheriv('aes-256-gcm', key.encryption, iv)
  decipher.setAuthTag(tag)
  decipher.setAAD(Buffer.from(additional, 'latin1'))
  return textOf(() => [decipher.update(ciphertext), decipher.final()])
}

function textOf(decipher: () => Buffer[]): string | null {
  try {
    return fromUtf8(Buffer.concat(decipher()))
  } catch {
    return null // a wrong padding, a wrong tag, or no UTF-8: to the caller all the same
  }
}

/** RFC 7518 §5.2.2.1: HMAC over header, IV, ciphertext and the header's length in bits; half of it. */
function authenticate(mac: KeyObject, additional: string, iv: Buffer, ciphertext: Buffer): Buffer {
  const bitLength = Buffer.alloc(8)
  bitLength.writeUInt32BE(additional.length * 8, 4)
  return createHmac('sha512', mac)
    .update(additional, 'latin1')
    .update(iv)
    .update(ciphertext)
    .update(bitLength)
    .digest()
    .subarray(0, 32)
}
