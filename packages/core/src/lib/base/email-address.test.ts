import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/any-text.ts'
import { isSameAddress, parseEnteredAddress, readAddress } from './email-address.ts'

describe('parseTypedAddress', () => {
  it.each([
    [' Foo@Example.COM ', 'foo@example.com'],
    ['first.last+tag@mail.example.co.uk', 'first.last+tag@mail.example.co.uk'],
    ["o'hara@example.com", "o'hara@example.com"],
    ['ann@bücher.example', 'ann@bücher.example'],
    ['用户@例子.广告', '用户@例子.广告'],
    ['ÄNN@Example.com', 'Änn@example.com'],
  ])('takes %s', (typed, address) => {
    expect(parseEnteredAddress(typed)).toBe(address)
  })

  it.each([
    'a@x.test,b@y.test',
    'a@x.test;b@y.test',
    'a@x.test b@y.test',
    '"e@attacker.com"@victim.com',
    '"x@gmail.com y"@victim.com',
    'a@b@c.test',
    'ａｎｎ@example.com',
    '\u212Aai@example.com',
    'kai@example.\u212Aom',
    'ﬁnn@example.com',
    '=?utf-8?q?ann=40example.com?=@evil.test',
    '=?utf-8?b?YW5u?=@example.com',
    'ann@=?utf-8?q?example?=.com',
    'x=?utf-8?q?=40?=@example.com',
    'attacker@evil.com＠victim.com',
    'attacker@evil.com﹫victim.com',
    'a@x.test，b@y.test',
    'a@x.test；b@y.test',
    '＜a@x.test＞',
    '<a@x.test>',
    'A <a@x.test>',
    'a@x.test(comment)',
    'a@x.test\r\nBcc: b@y.test',
    'a\n@x.test',
    'a@x.test\0',
    '-a@x.test',
    '@x.test',
    'a@',
    'a@x',
    'a@.x.test',
    'a@x..test',
    'a@-x.test',
    '.a@x.test',
    'a.@x.test',
    'a..b@x.test',
    'a@x.test, <a href="https://evil.test">',
    'a%00@x.test\u202e',
    `${'a'.repeat(300)}@x.test`,
    `a@${'x'.repeat(300)}.test`,
    'a@[127.0.0.1]',
    '',
    undefined,
    null,
    42,
    true,
    ['a@x.test'],
    { email: 'a@x.test' },
  ])('refuses %j', typed => {
    expect(parseEnteredAddress(typed)).toBeNull()
  })

  it('answers an address that it takes as it is, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.emailAddress(), anyText()), typed => {
        const address = parseEnteredAddress(typed)
        if (address === null) return
        expect(parseEnteredAddress(address)).toBe(address)
        expect(address.split('@')).toHaveLength(2)
        expect(address).not.toMatch(/[\s,;<>()"\\]|\p{Cc}/u)
      }),
    )
  })
})

describe('readAddress', () => {
  it.each([
    ['Ann@Example.COM', 'ann@example.com'],
    ['a..b.@mobile.example', 'a..b.@mobile.example'],
    ['ann@intranet', 'ann@intranet'],
    ['用户@例子.广告', '用户@例子.广告'],
  ])('takes %s from those who know their users', (written, address) => {
    expect(readAddress(written)).toBe(address)
  })

  it.each([
    '\u212Aai@example.com',
    'ａｎｎ@example.com',
    'ann@example.com\uff20evil.test',
    '=?utf-8?q?ann=40example.com?=@evil.test',
    'a@b@c.test',
    'ann@example.com\r\nBcc: eve@evil.test',
    'a\u0000@x.test',
    'ann\u200b@example.com',
    ' ann@example.com',
    'ann@[127.0.0.1]',
    'ann@example.com,eve@evil.test',
    '\ud800@example.com',
  ])('refuses %j', written => {
    expect(readAddress(written)).toBeNull()
  })
})

describe('isSameAddress', () => {
  it.each([
    ['Ann@Example.com', 'ann@example.COM', true],
    ['ann@example.com', 'ann@example.com ', false],
    ['kai@example.com', '\u212Aai@example.com', false],
    ['mike@example.com', 'm\u0131ke@example.com', false],
    ['ann@example.com', 'änn@example.com', false],
    ['ann@example.com', 'ann@example.org', false],
    ['ann@example.com', null, false],
    [undefined, undefined, false],
  ])('of %j and %j is %j', (one, other, expected) => {
    expect(isSameAddress(one, other)).toBe(expected)
  })
})

describe('a character that nobody sees', () => {
  const codePoints = Array.from({ length: 0x11_0000 }, (_, code) => code)
  const invisible = codePoints.filter(code =>
    /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)),
  )

  it('makes no address', () => {
    expect(invisible).toEqual(expect.arrayContaining([0x34f, 0x115f, 0x17b4, 0xfe0f, 0x200b]))
    const accepted = invisible
      .map(code => String.fromCodePoint(code))
      .filter(each =>
        [`a${each}nn@example.com`, `ann@ex${each}ample.com`].some(
          address => readAddress(address) ?? parseEnteredAddress(address),
        ),
      )
    expect(accepted).toEqual([])
  })
})
