import { Buffer, isUtf8 } from 'node:buffer'
import nodeCrypto, {
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import type { Sealed } from './primitives.ts'

/** A key of A256CBC-HS512. */
export interface CbcKey {
  /** Encrypts and decrypts. */
  readonly cipherKey: KeyObject
  /** Room for so many bytes of ciphertext, to be used before the next call. */
  roomFor(additional: string, size: number): Room
  /** The tag of what stands in a room, to be used before the next call. */
  tagOf(room: Room): Buffer
  /** The plaintext, or null if anything at all is not as it was sealed. */
  open(additional: string, sealed: Sealed): string | null
}

/** The bytes that are hashed to authenticate a token. All are in place already except for the ciphertext. */
interface Room {
  readonly additional: string
  readonly whole: Buffer
  /** The part of it for the IV and the ciphertext. */
  readonly sealed: Buffer
}

/** The encryption that we issue with, and the other one that we accept. */
export type NodeKey = { readonly cbc: CbcKey } | { readonly gcm: Uint8Array }

/** Of AES. */
export const BLOCK = 16
/** How much of the digest is the tag. */
const TAG = 32
/** Of SHA-512: what it takes in at a time, and what comes out. */
const HASH_BLOCK = 128
const HASH_SIZE = 64
/** As much ciphertext as fits into one cookie. */
const MAX_CACHED_SIZE = 4096

/**
 * Sets a key up for session tokens, which are opened on every request of an application. Opening makes
 * no native object and hardly any other: on Node, making an `Hmac` and a `Decipher` costs more than
 * their work. `docs/decisions/007` has the figures.
 *
 * @param header that of the tokens that we write with this key
 */
export function createCbcKey(mac: Uint8Array, encryption: Uint8Array, header: string): CbcKey {
  const key = createSecretKey(encryption)
  // It combines each block with the ciphertext before it, whichever call that came in. So where the IV is
  // given as if it were ciphertext, what comes out for the IV is nonsense, and what follows is right.
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(BLOCK)).setAutoPadding(false)
  const innerPad = xored(mac, 0x36)
  const outer = Buffer.concat([xored(mac, 0x5c), Buffer.alloc(HASH_SIZE)])
  const given = Buffer.alloc(TAG)
  const made = Buffer.alloc(TAG)
  // By the number of blocks, used again and again: their content is not needed between two calls, and no call waits.
  // Tokens come in few sizes, and creating one takes as long as hashing it.
  const rooms: Room[] = []

  function roomFor(additional: string, size: number): Room {
    const cached = rooms[size / BLOCK]
    if (cached?.additional === additional) return cached
    // RFC 7518 §5.2.2.1: what is authenticated is the additional data, the IV, the ciphertext, and the
    // length of the first in bits, as eight bytes. Before that the inner pad of HMAC.
    const start = HASH_BLOCK + additional.length
    const end = start + BLOCK + size
    const whole = Buffer.alloc(end + 8, innerPad)
    whole.write(additional, HASH_BLOCK, 'latin1')
    whole.fill(0, end).writeUInt32BE(additional.length * 8, end + 4)
    return { additional, whole, sealed: whole.subarray(start, end) }
  }

  /** HMAC by its definition in RFC 2104, of which the first half is the tag. */
  function tagOf({ whole }: Room): Buffer {
    outer.write(digest('sha512', whole, 'binary'), HASH_BLOCK, 'latin1')
    made.write(digest('sha512', outer, 'binary'), 'latin1') // as much of it as there is room for
    return made
  }

  return {
    cipherKey: key,
    roomFor,
    tagOf,
    open(additional, { iv, ciphertext, tag }) {
      const size = sizeOf(ciphertext)
      if (sizeOf(iv) !== BLOCK || sizeOf(tag) !== TAG || size % BLOCK !== 0) return null
      const room = roomFor(additional, size)
      const { sealed } = room
      if (
        !decodeInto(given, 0, tag) ||
        !decodeInto(sealed, 0, iv) ||
        !decodeInto(sealed, BLOCK, ciphertext) ||
        !timingSafeEqual(tagOf(room), given)
      ) {
        return null
      }
      // Only for tokens as we write them: what others send must not fill our memory.
      if (size <= MAX_CACHED_SIZE && additional === header) rooms[size / BLOCK] = room
      return asText(decipher.update(sealed))
    },
  }
}

/** The key, filled up to a block of the hash, under one of the two masks of HMAC. */
function xored(key: Uint8Array, mask: number): Buffer {
  const pad = Buffer.alloc(HASH_BLOCK, mask)
  for (const [index, byte] of key.entries()) pad[index] = byte ^ mask
  return pad
}

type Digest = (algorithm: string, data: string | Buffer, encoding: 'binary') => string

// Newer than what it replaces, and quicker: runtimes that imitate Node may not have it yet.
const { hash } = nodeCrypto as { hash?: Digest }

/** A hash of a value that is complete in memory. Each character of the result is a byte. */
export const digest: Digest =
  hash ?? ((algorithm, data, encoding) => createHash(algorithm).update(data).digest(encoding))

/** How many bytes base64url stands for. */
function sizeOf(text: string): number {
  return Math.floor((text.length * 3) / 4)
}

/** Decodes base64url. Tells whether it is what an encoder writes, which each tag is checked for. */
function decodeInto(target: Buffer, start: number, text: string): boolean {
  const size = target.write(text, start, 'base64url')
  return target.toString('base64url', start, start + size) === text
}

/**
 * Removes the block of the IV, and the padding. It was authenticated, so anyone who could make a wrong one has the
 * key; the check is for tokens that were sealed by an incorrect library.
 */
function asText(plaintext: Buffer): string | null {
  const padding = plaintext[plaintext.length - 1] ?? 0
  const end = plaintext.length - padding
  if (padding === 0 || padding > BLOCK) return null
  for (let at = end; at < plaintext.length; at++) if (plaintext[at] !== padding) return null
  const text = plaintext.toString('utf8', BLOCK, end)
  // Bytes that are not UTF-8 become this character. The text may also have contained it.
  return !text.includes('\ufffd') || isUtf8(plaintext.subarray(BLOCK, end)) ? text : null
}
