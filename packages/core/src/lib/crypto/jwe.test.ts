import { expect, it } from 'vitest'
import { createSealer } from './jwe.ts'
import { primitives as node } from './node.ts'
import type { CryptoPrimitives } from './primitives.ts'
import { primitives as web } from './web.ts'

const NOW = Date.UTC(2030, 0, 1)
/** The one of them decrypts at once, the other later. */
const BOTH: readonly CryptoPrimitives<never>[] = [node, web] as never

it('a token that Node or WebCrypto seals is opened by both', async () => {
  const sealers = BOTH.map(primitives => createSealer(primitives, ['secret'], 'purpose'))
  for (const sealing of sealers) {
    const token = await sealing.seal({ sub: 'ann' }, 60, NOW)
    for (const opening of sealers) {
      expect(await opening.open(token, NOW)).toMatchObject({ claims: { sub: 'ann' } })
      expect(await opening.open(token, NOW + 76_000)).toBe('expired')
      expect(await opening.open(`${token.slice(0, -9)}AAAAAAAAA`, NOW)).toBe('forged')
    }
  }
})
