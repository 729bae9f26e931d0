import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCbcKey } from './node-cbc.ts'
import { sealCbc } from './node-cbc-seal.ts'
import type { Sealed } from './primitives.ts'

const mac = randomBytes(32)
const key = randomBytes(32)
const ownKey = createCbcKey(mac, key, 'header')
const open = (additional: string, sealed: Sealed) => ownKey.open(additional, sealed)
const ownSeal = (additional: string, plaintext: string) =>
  sealCbc({ cbc: ownKey }, additional, plaintext, randomBytes(16))

/** As the standard says it, with Node's own HMAC and CBC. */
function seal(additional: string, plaintext: Buffer, padded = true) {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(padded)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(additional.length * 8))
  const tag = createHmac('sha512', mac)
    .update(additional)
    .update(iv)
    .update(ciphertext)
    .update(length)
    .digest()
    .subarray(0, 32)
  return {
    iv: iv.toString('base64url'),
    ciphertext: ciphertext.toString('base64url'),
    tag: tag.toString('base64url'),
  }
}

describe('sealing A256CBC-HS512 on Node', () => {
  it('never uses an IV twice, nor one that follows from another', () => {
    const all = Array.from({ length: 1000 }, () => ownSeal('header', 'the same text'))
    expect(new Set(all.map(({ iv }) => iv)).size).toBe(1000)
    expect(new Set(all.map(({ ciphertext }) => ciphertext)).size).toBe(1000)
    const lastBlocks = all.map(({ ciphertext }) =>
      Buffer.from(ciphertext, 'base64url').subarray(-16).toString('base64url'),
    )
    expect(all.filter(({ iv }) => lastBlocks.includes(iv))).toEqual([])
  })

  it.each([0, 1, 15, 16, 17, 400])('pads %i bytes as the standard says', length => {
    const { iv, ciphertext } = ownSeal('header', 'x'.repeat(length))
    const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'base64url'))
    const text = decipher.update(ciphertext, 'base64url', 'utf8') + decipher.final('utf8')
    expect(text).toBe('x'.repeat(length))
  })
})

describe('opening A256CBC-HS512 on Node', () => {
  it.each([0, 1, 15, 16, 17, 400, 735, 736, 4000, 4079, 4080, 16_000, 100_000])(
    'reads %i bytes',
    length => {
      const text = 'ä'.repeat(length / 2) + 'x'.repeat(length % 2)
      expect(open('header', seal('header', Buffer.from(text)))).toBe(text)
    },
  )

  it('reads long and short texts in any order, with one key', () => {
    for (const length of [5000, 3, 30_000, 64, 20_000, 1]) {
      const text = String(length).repeat(length)
      expect(open('a header', seal('a header', Buffer.from(text)))).toBe(text)
    }
  })

  it('reads on after something that it refused', () => {
    const good = seal('header', Buffer.from('text'))
    expect(open('header', { ...good, ciphertext: good.ciphertext.slice(0, 10) })).toBeNull()
    expect(open('header', { ...good, tag: 'A'.repeat(43) })).toBeNull()
    expect(open('header', good)).toBe('text')
  })

  it.each([
    ['no padding', Buffer.alloc(16, 'x')],
    ['padding longer than a block', Buffer.alloc(32, 17)],
    ['padding of zero', Buffer.alloc(16, 0)],
    ['padding that is not all the same', Buffer.from([...Buffer.alloc(13, 1), 9, 2, 3])],
  ])('refuses what was sealed with %s', (_case, plaintext) => {
    expect(open('header', seal('header', plaintext, false))).toBeNull()
  })

  it.each([0, 1, 400, 30_000])('reads %i bytes that it sealed itself', length => {
    const text = 'x'.repeat(length)
    expect(open('header', ownSeal('header', text))).toBe(text)
  })

  it('seals with an IV of its own each time', () => {
    const ivs = new Set(Array.from({ length: 1000 }, () => ownSeal('header', 'text').iv))
    expect(ivs.size).toBe(1000)
  })

  it('refuses what is no text', () => {
    expect(open('header', seal('header', Buffer.from([0xff, 0xfe])))).toBeNull()
  })
})

describe('the memory of a key', () => {
  function isKept(each: typeof ownKey, header: string): boolean {
    const once = each.roomFor(header, 16)
    return each.roomFor(header, 16) === once
  }

  it('holds room for tokens of ours that were opened', () => {
    const fresh = createCbcKey(mac, key, 'header')
    expect(fresh.open('header', seal('header', Buffer.from('text')))).toBe('text')
    expect(isKept(fresh, 'header')).toBe(true)
  })

  it('holds none for a token that was refused, nor for a header that is not ours', () => {
    const fresh = createCbcKey(mac, key, 'header')
    expect(fresh.open('header', seal('forged', Buffer.from('text')))).toBeNull()
    expect(isKept(fresh, 'header')).toBe(false)
    expect(fresh.open('another', seal('another', Buffer.from('text')))).toBe('text')
    expect(isKept(fresh, 'another')).toBe(false)
  })
})
