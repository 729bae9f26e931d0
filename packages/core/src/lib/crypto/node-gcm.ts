import { Buffer, isUtf8 } from 'node:buffer'
import { createDecipheriv } from 'node:crypto'
import { isAlphabet, sizeOf } from './node-base64url.ts'
import type { ArrivedSealed } from './primitives.ts'

/** Opens what A256GCM sealed, which we accept and never issue. */
export function decryptGcm(
  key: Uint8Array,
  additional: string,
  sealed: ArrivedSealed,
): string | null {
  if (!isAlphabet(sealed.joined)) return null
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

/** Decodes base64url without padding. Null where something in it is not. */
function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === sizeOf(text) ? bytes : null
}
