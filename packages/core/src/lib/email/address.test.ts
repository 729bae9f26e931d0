import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'

describe('parseAddress', () => {
  it.each([
    [' Foo@Example.COM ', 'foo@example.com'],
    ['first.last+tag@mail.example.co.uk', 'first.last+tag@mail.example.co.uk'],
    ["o'hara@example.com", "o'hara@example.com"],
    ['ann@bücher.example', 'ann@bücher.example'],
    ['用户@例子.广告', '用户@例子.广告'],
    ['ａｎｎ@example.com', 'ann@example.com'],
  ])('takes %s', (typed, address) => {
    expect(parseAddress(typed)).toBe(address)
  })

  it.each([
    'a@x.test,b@y.test',
    'a@x.test;b@y.test',
    'a@x.test b@y.test',
    '"e@attacker.com"@victim.com',
    '"x@gmail.com y"@victim.com',
    'a@b@c.test',
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
    expect(parseAddress(typed)).toBeNull()
  })

  it('answers an address that it takes as it is, or nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.emailAddress(), fc.string({ unit: 'binary' })),
        typed => {
          const address = parseAddress(typed)
          if (address === null) return
          expect(parseAddress(address)).toBe(address)
          expect(address.split('@')).toHaveLength(2)
          expect(address).not.toMatch(/[\s,;<>()"\\]|\p{Cc}/u)
        },
      ),
    )
  })
})
