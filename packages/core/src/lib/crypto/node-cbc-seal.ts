import { Buffer } from 'node:buffer'
import { type Cipher, createCipheriv } from 'node:crypto'
import { BLOCK, type CbcKey, type NodeKey } from './node-cbc.ts'
import type { Sealed } from './primitives.ts'

/** Encrypts and authenticates, by RFC 7518 §5.2.2.1. */
export function sealCbc(
  key: NodeKey,
  additional: string,
  plaintext: string,
  random: Uint8Array,
): Sealed {
  if (!('cbc' in key)) throw new TypeError('an A256GCM key cannot seal A256CBC-HS512')
  const { roomFor, tagOf } = key.cbc
  // The first block comes out as an IV: see cipherOf.
  const encrypted = cipherOf(key.cbc).update(padded(random, plaintext))
  const room = roomFor(additional, encrypted.length - BLOCK)
  encrypted.copy(room.sealed)
  return {
    iv: encrypted.toString('base64url', 0, BLOCK),
    ciphertext: encrypted.toString('base64url', BLOCK),
    tag: tagOf(room).toString('base64url'),
  }
}

const ciphers = new WeakMap<CbcKey, Cipher>()

/**
 * One for each key, used again and again: creating one costs more than its work. CBC combines each block with the
 * ciphertext before it, whichever call that came in, so a random block goes first. The block that results is as
 * random and cannot be predicted, and it is combined with the next block: an IV.
 */
function cipherOf(key: CbcKey): Cipher {
  let cipher = ciphers.get(key)
  if (!cipher) {
    cipher = createCipheriv('aes-256-cbc', key.cipherKey, Buffer.alloc(BLOCK)).setAutoPadding(false)
    ciphers.set(key, cipher)
  }
  return cipher
}

/** A random block, the text, and the padding of RFC 5652 §6.3. */
function padded(random: Uint8Array, plaintext: string): Buffer {
  const size = Buffer.byteLength(plaintext)
  const padding = BLOCK - (size % BLOCK)
  const bytes = Buffer.allocUnsafe(BLOCK + size + padding)
  bytes.set(random)
  bytes.write(plaintext, BLOCK, 'utf8')
  return bytes.fill(padding, BLOCK + size)
}
