import { isUtf8 } from 'node:buffer'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type Decipher,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
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
    const iv = decode(sealed.iv)
    const ciphertext = decode(sealed.ciphertext)
    const tag = decode(sealed.tag)
    if (!iv || !ciphertext || !tag) return null
    return encryption === 'A256CBC-HS512'
      ? decryptCbc(key, additional, iv, ciphertext, tag)
      : decryptGcm(key, additional, iv, ciphertext, tag)
  },
}

/**
 * Node passes over what is not of the alphabet, takes the other alphabet for this one, and looks at
 * the low byte of a character only, so that `Ł` would pass for `A`.
 */
function decode(text: string): Buffer | null {
  if (text.includes('+') || text.includes('/') || Buffer.byteLength(text) !== text.length) {
    return null
  }
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === Math.floor((text.length * 3) / 4) ? bytes : null
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
  return finish(createDecipheriv('aes-256-cbc', key.encryption, iv), ciphertext)
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
  return finish(decipher, ciphertext)
}

function finish(decipher: Decipher, ciphertext: Buffer): string | null {
  try {
    const plaintext = Buffer.concat([decipher.update(ciphertext), decipher.final()])
    return isUtf8(plaintext) ? plaintext.toString('utf8') : null
  } catch {
    return null // a wrong padding or a wrong tag: to the caller all the same
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
