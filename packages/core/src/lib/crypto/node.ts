import { isUtf8 } from 'node:buffer'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { decodeBase64Url } from './node-base64url.ts'
import { type CbcOpener, createCbcOpener } from './node-cbc.ts'
import type { CryptoPrimitives, Sealed } from './primitives.ts'

interface NodeKey {
  readonly encryption: KeyObject
  readonly mac: KeyObject
  /** For keys of A256CBC-HS512, which is what we issue. */
  readonly openCbc: CbcOpener | null
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
      return { encryption: key, mac: key, openCbc: null }
    }
    // RFC 7518 §5.2.2.1: the first half authenticates, the second half encrypts.
    const [mac, encryptionKey] = [bits.subarray(0, 32), bits.subarray(32)]
    return {
      mac: createSecretKey(mac),
      encryption: createSecretKey(encryptionKey),
      openCbc: createCbcOpener(mac, encryptionKey),
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
    if (encryption === 'A256GCM') return decryptGcm(key, additional, sealed)
    return key.openCbc?.(additional, sealed) ?? null
  },
}

function decryptGcm({ encryption }: NodeKey, additional: string, sealed: Sealed): string | null {
  const iv = decodeBase64Url(sealed.iv)
  const ciphertext = decodeBase64Url(sealed.ciphertext)
  const tag = decodeBase64Url(sealed.tag)
  if (!ciphertext || iv?.length !== 12 || tag?.length !== 16) return null
  const decipher = createDecipheriv('aes-256-gcm', encryption, iv)
  decipher.setAuthTag(tag)
  decipher.setAAD(Buffer.from(additional, 'latin1'))
  try {
    const plaintext = Buffer.concat([decipher.update(ciphertext), decipher.final()])
    return isUtf8(plaintext) ? plaintext.toString('utf8') : null
  } catch {
    return null // a wrong tag
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
