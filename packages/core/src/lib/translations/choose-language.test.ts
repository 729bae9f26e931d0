import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLanguage } from './choose-language.ts'

const available = ['en', 'de', 'pt', 'de-AT', 'zh-Hans', 'zh-Hant']

describe('the language of a visitor', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-CH', 'de'],
    ['de-at', 'de-AT'],
    ['pt-BR', 'pt'],
    ['sv, de;q=0.8, en;q=0.9', 'en'],
    ['en;q=0.1, de;q=0.2', 'de'],
    ['de;q=0, en', 'en'],
    ['fr;q=1, sv', null],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['zh-Hans-TW', 'zh-Hans'],
    ['*', null],
    ['', null],
    [null, null],
    ['de;q=x', null],
    ['__proto__, constructor, en', 'en'],
  ])('for %j is %j', (header, expected) => {
    expect(chooseLanguage(header, available)).toBe(expected)
  })

  it('is one that there is, or none, whatever a header says', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'deztwh-,;q=0.1* '.split('')) }), header => {
        expect([...available, null]).toContain(chooseLanguage(header, available))
      }),
    )
  })

  it('is found without reading more of a header than browsers send', () => {
    expect(chooseLanguage(`${'x-y,'.repeat(1000)}de`, available)).toBeNull()
  })
})
