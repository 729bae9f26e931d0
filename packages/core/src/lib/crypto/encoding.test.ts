import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/any-text.ts'
import { fromUtf8, toBase64Url, toHex, utf8 } from './encoding.ts'
import * as node from './node.ts'
import * as web from './web.ts'

const sides = [
  ['on Node', node],
  ['on the web', web],
] as const

describe.each(sides)('base64url %s', (_side, { fromBase64Url }) => {
  it('is written as Node writes it, and read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        const text = toBase64Url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  it('is written for more bytes than a call takes arguments', () => {
    const bytes = new Uint8Array(300_000).fill(0xab)
    expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
  })

  it.each(['A', 'AAAAA', 'AA==', 'A+A', 'A/A', 'AA ', 'A\nA', 'Ł', 'AAAŁ', 'é'])(
    'is not %j',
    text => {
      expect(fromBase64Url(text)).toBeNull()
    },
  )

  it('has one spelling for the same bytes', () => {
    for (const text of ['AA', 'AAA', 'AAAA', '']) expect(fromBase64Url(text)).not.toBeNull()
    for (const text of ['AB', 'AAB', 'A', 'AAAAAP']) expect(fromBase64Url(text)).toBeNull()
  })
})

describe('UTF-8', () => {
  it('comes back as it went, in any script', () => {
    fc.assert(
      fc.property(anyText(), text => {
        expect(fromUtf8(utf8(text))).toBe(text)
      }),
    )
  })

  it.each([[[0xff]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xe2, 0x82]]])('is not %j', bytes => {
    expect(() => fromUtf8(Uint8Array.from(bytes))).toThrow()
  })
})

it('writes hexadecimal in lower case with two digits each', () => {
  expect(toHex(Uint8Array.of(0, 1, 0xab, 0xff))).toBe('0001abff')
})

describe.each(sides)('comparing in constant time %s', (_side, { equalInConstantTime }) => {
  it('says what a plain comparison says', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (left, right) => {
        expect(equalInConstantTime(left, right)).toBe(left === right)
        expect(equalInConstantTime(left, left)).toBe(true)
      }),
    )
  })

  it('tells apart characters that differ in their high byte only', () => {
    expect(equalInConstantTime('A', 'Ł')).toBe(false)
  })
})

it('looks at every character on the web, whether or not an earlier one differs', () => {
  const looked = (text: string) => {
    const seen: number[] = []
    const charCodeAt = (at: number) => {
      seen.push(at)
      return text.charCodeAt(at)
    }
    // All that a comparison asks of a text, and a record of it.
    return { watched: { length: text.length, charCodeAt } as string, seen }
  }
  for (const text of ['abcd', 'xbcd', 'abcx', 'xxxx']) {
    const { watched, seen } = looked(text)
    expect(web.equalInConstantTime(watched, 'abcd')).toBe(text === 'abcd')
    expect(seen).toEqual([0, 1, 2, 3])
  }
})
