// Only for Auth.js, whose tokens may be encrypted in this way.
import { Buffer, isUtf8 } from 'node:buffer'
import { createDecipheriv } from 'node:crypto'
import { fromBase64Url } from './node-bytes.ts'
import type { Sealed } from './primitives.ts'

/** Opens what A256GCM sealed, which we accept and never issue. */
export function decryptGcm(key: Uint8Array, additional: string, sealed: Sealed): string | null {
  const iv = fromBase64Url(sealed.iv)
  const ciphertext = fromBase64Url(sealed.ciphertext)
  const tag = fromBase64Url(sealed.tag)
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
