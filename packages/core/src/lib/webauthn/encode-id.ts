import { fromBase64Url } from '#crypto'
import { toBase64Url } from '../crypto/encoding.ts'

/**
 * Bytes as base64 with padding: how ids and keys stand in the database. Known from Auth.js, whose
 * rows have to be found.
 */
export function toStored(bytes: Uint8Array): string {
  const text = toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** Base64 in any of its spellings as bytes; null for anything else. */
export function fromStored(text: string): Uint8Array<ArrayBuffer> | null {
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
}

/**
 * The id that a browser names, as bytes. One spelling for each id, so that none passes for another;
 * null for everything else.
 */
export function fromBrowser(id: unknown): Uint8Array<ArrayBuffer> | null {
  return typeof id === 'string' && id.length <= MAX_ID_LENGTH ? fromBase64Url(id) : null
}

/** WebAuthn §7.1 step 25: ids have at most 1023 bytes. */
const MAX_ID_LENGTH = Math.ceil((1023 * 4) / 3)
