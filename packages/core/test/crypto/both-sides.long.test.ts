import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../src/lib/crypto/jwe.ts'
import { primitives as node } from '../../src/lib/crypto/node.ts'
import { primitives as web } from '../../src/lib/crypto/web.ts'
import { anyText } from '../any-text.ts'
import { hostileTokens } from './hostile-tokens.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
const COOKIE = 'authjs.session-token'
const SECRETS = ['the newer secret', 'the older secret']

describe('the two sides of the crypto seam', () => {
  const onNode = createSealer(node, SECRETS, COOKIE)
  const onWeb = createSealer(web, SECRETS, COOKIE)

  it('open what the other has sealed', async () => {
    const claims = fc.dictionary(anyText(), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(claims, async given => {
        const fromNode = await onNode.seal(given, 60, NOW)
        const fromWeb = await onWeb.seal(given, 60, NOW)
        expect(await onWeb.open(fromNode, NOW)).toEqual(await onNode.open(fromNode, NOW))
        expect(await onNode.open(fromWeb, NOW)).toEqual(await onWeb.open(fromWeb, NOW))
        expect(await onNode.open(fromWeb, NOW)).toBeTypeOf('object')
        expect(await onWeb.open(fromNode, NOW)).toBeTypeOf('object')
      }),
      { numRuns: 50 },
    )
  })

  it('derive the same keys and digests', async () => {
    const text = anyText({ maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), text, text, async (secret, salt, info) => {
        for (const length of [32, 64]) {
          expect(await web.deriveBits(secret, salt, info, length)).toEqual(
            await node.deriveBits(secret, salt, info, length),
          )
        }
        for (const algorithm of ['SHA-256', 'SHA-512'] as const) {
          expect(await web.digest(algorithm, info)).toEqual(await node.digest(algorithm, info))
        }
      }),
      { numRuns: 50 },
    )
  })

  it('refuse the same tokens for the same reason', async () => {
    for (const [what, token] of hostileTokens(SECRETS[1] ?? '', COOKIE, NOW)) {
      expect([what, await onWeb.open(token, NOW)]).toEqual([what, await onNode.open(token, NOW)])
    }
  })
})
