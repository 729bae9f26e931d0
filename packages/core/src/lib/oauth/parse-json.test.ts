import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonObject } from './parse-json.ts'

describe('a JSON object', () => {
  it('is parsed as ever', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const text = JSON.stringify(value)
        if (!/\d{16}/.test(text)) expect(parseJsonObject(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('keeps every digit of ids that a number cannot hold', () => {
    const text =
      '{"id":9007199254740993,"a":[-9007199254740993,1234567890123456],"s":"\\"9007199254740993","f":0.1234567890123456789,"e":1234567890123456789e-18}'
    expect(parseJsonObject(text)).toEqual({
      id: '9007199254740993',
      a: ['-9007199254740993', 1234567890123456],
      s: '"9007199254740993',
      f: 0.12345678901234568,
      e: 1.2345678901234567,
    })
  })

  it.each(['', 'null', '[]', '"x"', '1', '{', '<html>', 'undefined'])('is not %j', text => {
    expect(parseJsonObject(text)).toBeNull()
  })

  it('is read in linear time, whatever is sent instead', () => {
    const start = performance.now()
    parseJsonObject(`"${'\\"'.repeat(500_000)}`)
    parseJsonObject(`{"a":"${'\\"'.repeat(450_000)}","b":${'1'.repeat(100_000)}}`)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
