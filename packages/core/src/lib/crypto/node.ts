import { hkdfSync } from 'node:crypto'
import { lazily } from '../base/awaitable.ts'
import { createCbcKey, digest, type NodeKey } from './node-cbc.ts'
import type { CryptoPrimitives } from './primitives.ts'

export { equalInConstantTime, fromBase64Url } from './node-bytes.ts'

// Tokens are opened all the time and sealed now and then.
const sealing = lazily(() => import('./node-cbc-seal.ts'))

/**
 * The Node side. All of it is synchronous: a session is opened in a few dozen microseconds, less
 * than it takes to hand the work to another thread and back.
 */
export const primitives: CryptoPrimitives<NodeKey> = {
  deriveBits: (secret, salt, info, length) =>
    new Uint8Array(hkdfSync('sha256', secret, salt, info, length)),

  digest: (algorithm, text) =>
    new Uint8Array(Buffer.from(digest(algorithm.replace('-', ''), text, 'binary'), 'latin1')),

  importKey: (encryption, bits, header) =>
    encryption === 'A256GCM'
      ? { gcm: bits }
      : // RFC 7518 §5.2.2.1: the first half authenticates, the second half encrypts.
        { cbc: createCbcKey(bits.subarray(0, 32), bits.subarray(32), header) },

  encrypt: (key, additional, plaintext, random) =>
    sealing(({ sealCbc }) => sealCbc(key, additional, plaintext, random)),

  decrypt: (key, _encryption, additional, sealed) =>
    'cbc' in key
      ? key.cbc.open(additional, sealed)
      : import('./node-gcm.ts').then(gcm => gcm.decryptGcm(key.gcm, additional, sealed)),
}
