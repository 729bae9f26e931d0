import { isUtf8 } from 'node:buffer'
import {
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { decodeBase64Url } from './node-base64url.ts'
import { type CbcKey, createCbcKey } from './node-cbc.ts'
import type { CryptoPrimitives, Sealed } from './primitives.ts'

/** What we issue, and the other that we accept. */
type NodeKey = { readonly cbc: CbcKey } | { readonly gcm: KeyObject }

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

  importKey: (encryption, bits) =>
    encryption === 'A256GCM'
      ? { gcm: createSecretKey(bits) }
      : // RFC 7518 §5.2.2.1: the first half authenticates, the second half encrypts.
        { cbc: createCbcKey(bits.subarray(0, 32), bits.subarray(32)) },

  encrypt: (key, additional, plaintext) => {
    if (!('cbc' in key)) throw new TypeError('an A256GCM key cannot seal A256CBC-HS512')
    return key.cbc.seal(additional, plaintext)
  },

  decrypt: (key, _encryption, additional, sealed) =>
    'cbc' in key ? key.cbc.open(additional, sealed) : decryptGcm(key.gcm, additional, sealed),
}

function decryptGcm(key: KeyObject, additional: string, sealed: Sealed): string | null {
  const iv = decodeBase64Url(sealed.iv)
  const ciphertext = decodeBase64Url(sealed.ciphertext)
  const tag = decodeBase64Url(sealed.tag)
  if (!ciphertext || iv?.length !== 12 || tag?.length !== 16) return null
  const decipher = createDecipheriv('aes-256-gcm', key, iv)
  decipher.setAuthTag(tag)
  decipher.setAAD(Buffer.from(additional, 'latin1'))
  try {
    const plaintext = Buffer.concat([decipher.update(ciphertext), decipher.final()])
    return isUtf8(plaintext) ? plaintext.toString('utf8') : null
  } catch {
    return null // a wrong tag
  }
}
