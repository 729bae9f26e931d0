import { describe, expect, it } from 'vitest'
import { createSealer } from './jwe.ts'
import { primitives as node } from './node.ts'
import type { CryptoPrimitives } from './primitives.ts'
import { createTokenMemory } from './token-memory.ts'
import { primitives as web } from './web.ts'

const secret = 'a secret of at least 32 characters!!'
const now = Date.UTC(2026, 0, 1)

describe('a memory of opened tokens', () => {
  it('recalls what it was told to keep, and nothing else', () => {
    const memory = createTokenMemory(10_000)
    memory.keep('token', 'text')
    expect(memory.recall('token')).toBe('text')
    expect(memory.recall('tokem')).toBeUndefined()
  })

  it('stays within its size, however many tokens come', () => {
    const memory = createTokenMemory(10_000)
    for (let index = 0; index < 1000; index++) memory.keep(`token-${index}`, 'x'.repeat(100))
    const kept = Array.from({ length: 1000 }, (_, index) => memory.recall(`token-${index}`))
    const bytes = kept.filter(text => text !== undefined).length * (100 * 2)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(10_000)
  })

  it('lets go of what was not used for long, and holds on to what is used', () => {
    const memory = createTokenMemory(10_000)
    memory.keep('idle', 'idle')
    memory.keep('busy', 'busy')
    for (let index = 0; index < 1000; index++) {
      memory.keep(`token-${index}`, 'x'.repeat(100))
      expect(memory.recall('busy')).toBe('busy')
    }
    expect(memory.recall('idle')).toBeUndefined()
  })

  it('does not take in what would fill it alone', () => {
    const memory = createTokenMemory(1000)
    memory.keep('small', 'x')
    memory.keep('large', 'x'.repeat(2000))
    expect(memory.recall('large')).toBeUndefined()
    expect(memory.recall('small')).toBe('x')
  })
})

describe.each([
  ['Node', node as CryptoPrimitives],
  ['WebCrypto', web as CryptoPrimitives],
])('a sealer with a memory, on %s', (_side, primitives) => {
  function countingSealer() {
    let decrypted = 0
    const counting: CryptoPrimitives = {
      ...primitives,
      decrypt: (...args) => {
        decrypted++
        return primitives.decrypt(...args)
      },
    }
    const sealer = createSealer(counting, [secret], 'cookie', createTokenMemory(100_000))
    return { sealer, decrypted: () => decrypted }
  }

  it('decrypts a token once, however often it comes', async () => {
    const { sealer, decrypted } = countingSealer()
    const token = await sealer.seal({ sub: '1' }, 60, now)
    const first = await sealer.open(token, now)
    expect(await sealer.open(token, now)).toEqual(first)
    expect(decrypted()).toBe(1)
  })

  it('sees at every use whether the token has expired', async () => {
    const { sealer } = countingSealer()
    const token = await sealer.seal({ sub: '1' }, 60, now)
    expect(await sealer.open(token, now)).toMatchObject({ claims: { sub: '1' } })
    expect(await sealer.open(token, now + 120_000)).toBe('expired')
  })

  it('makes new claims at every use, so that nobody changes what the next one reads', async () => {
    const { sealer } = countingSealer()
    const token = await sealer.seal({ roles: ['reader'] }, 60, now)
    const first = await sealer.open(token, now)
    if (typeof first === 'string') throw new Error(first)
    first.claims['roles'] = ['admin']
    expect(await sealer.open(token, now)).toMatchObject({ claims: { roles: ['reader'] } })
  })

  it('does not remember what it could not open', async () => {
    const { sealer, decrypted } = countingSealer()
    const token = await sealer.seal({ sub: '1' }, 60, now)
    const forged = `${token.slice(0, -5)}${token.at(-5) === 'A' ? 'B' : 'A'}${token.slice(-4)}`
    await sealer.open(token, now)
    expect(await sealer.open(forged, now)).toBe('forged')
    expect(await sealer.open(forged, now)).toBe('forged')
    expect(decrypted()).toBe(3)
  })
})
