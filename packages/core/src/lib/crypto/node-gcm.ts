import { Buffer, isUtf8 } from 'node:buffer'
import { createDecipheriv } from 'node:crypto'
import { decodeInto, sizeOf } from './node-base64url.ts'
import type { Sealed } from './primitives.ts'

/** Opens what A256GCM sealed, which we accept and never issue. */
export function decryptGcm(key: Uint8Array, additional: string, sealed: Sealed): string | null {
  const iv = decode(sealed.iv)
  const ciphertext = decode(sealed.ciphertext)
  const tag = decode(sealed.tag)
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

function decode(text: string): Buffer | null {
  const bytes = Buffer.alloc(sizeOf(text))
  return decodeInto(bytes, 0, text) ? bytes : null
}
