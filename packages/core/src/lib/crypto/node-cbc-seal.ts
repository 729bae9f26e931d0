import { createCipheriv, randomFillSync } from 'node:crypto'
import { BLOCK, HASH_BLOCK, type NodeKey, TAG } from './node-cbc.ts'
import type { Sealed } from './primitives.ts'

/** Encrypts and authenticates, by RFC 7518 §5.2.2.1. */
export function sealCbc(key: NodeKey, additional: string, plaintext: string): Sealed {
  if (!('cbc' in key)) throw new TypeError('an A256GCM key cannot seal A256CBC-HS512')
  const { cipherKey, roomFor, authenticate } = key.cbc
  const iv = nextIv()
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const [most, last] = [cipher.update(plaintext, 'utf8'), cipher.final()]
  const ivAt = HASH_BLOCK + additional.length
  const end = ivAt + BLOCK + most.length + last.length
  const work = roomFor(additional, end + 8)
  iv.copy(work, ivAt)
  most.copy(work, ivAt + BLOCK)
  last.copy(work, ivAt + BLOCK + most.length)
  const tag = authenticate(work, end, additional.length).slice(0, TAG)
  return {
    iv: iv.toString('base64url'),
    ciphertext: work.toString('base64url', ivAt + BLOCK, end),
    tag: Buffer.from(tag, 'latin1').toString('base64url'),
  }
}

const ivs = Buffer.alloc(BLOCK * 128)
let nextIvAt = ivs.length

/** Random bytes, of which the system is asked for many at once: asking takes longer than their making. */
function nextIv(): Buffer {
  if (nextIvAt === ivs.length) {
    randomFillSync(ivs)
    nextIvAt = 0
  }
  nextIvAt += BLOCK
  return ivs.subarray(nextIvAt - BLOCK, nextIvAt)
}
