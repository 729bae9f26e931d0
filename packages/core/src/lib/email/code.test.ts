import { describe, expect, it } from 'vitest'
import { primitives } from '#crypto'
import { createEmailCodes, readCode, writeCode } from './code.ts'

const codes = createEmailCodes(primitives, ['a secret'])

describe('a code', () => {
  it('has eight letters that are not mistaken for others, each as likely as the rest', async () => {
    const counts = new Map<string, number>()
    for (let index = 0; index < 2000; index++) {
      const code = await codes.codeFor({ token: `token ${index}`, identifier: 'ann@example.com' })
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
      for (const letter of code) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    expect(counts.size).toBe(20)
    for (const count of counts.values()) expect(Math.abs(count - 800)).toBeLessThan(160)
  })

  it('is another for another link, another address and another secret', async () => {
    const link = { token: 'token', identifier: 'ann@example.com' }
    const others = createEmailCodes(primitives, ['another secret'])
    const made = await Promise.all([
      codes.codeFor(link),
      codes.codeFor({ ...link, token: 'other' }),
      codes.codeFor({ ...link, identifier: 'ben@example.com' }),
      others.codeFor(link),
    ])
    expect(new Set(made).size).toBe(4)
    expect(await codes.codeFor(link)).toBe(made[0])
  })

  it('is written with a dash', () => {
    expect(writeCode('WDJBMJHT')).toBe('WDJB-MJHT')
  })
})

describe('what somebody types', () => {
  it.each([
    'WDJBMJHT',
    'WDJB-MJHT',
    'wdjb-mjht',
    ' wdjb mjht ',
    'W D J B – M J H T',
    'wdjb—mjht.',
    'ＷＤＪＢ－ＭＪＨＴ',
    'wdjb\u00a0mjht\n',
  ])('%j is the code', typed => {
    expect(readCode(typed)).toBe('WDJBMJHT')
  })

  it.each([
    '',
    'WDJBMJH',
    'WDJBMJHTT',
    'WDJB-MJH7',
    'WDJB-MJHA',
    'ШDJB-MJHT',
    'WDJB-MJHΤ',
    undefined,
    null,
    12345678,
    ['WDJBMJHT'],
    'W'.repeat(1000),
  ])('%j is no code', typed => {
    expect(readCode(typed)).toBeNull()
  })
})
