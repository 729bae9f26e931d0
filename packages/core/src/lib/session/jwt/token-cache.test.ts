import { describe, expect, it } from 'vitest'
import { createTokenMemory } from './token-cache.ts'

const facts = (text: string) => ({ text })

describe('a memory of opened tokens', () => {
  it('recalls what it was told to keep, and nothing else', () => {
    const memory = createTokenMemory(10_000)
    memory.store('token', facts('text'))
    expect(memory.recall('token')).toEqual(facts('text'))
    expect(memory.recall('tokem')).toBeUndefined()
  })

  it('compares the whole of a token, not only the end by which it is found', () => {
    const memory = createTokenMemory(10_000)
    const end = '.a-tag-of-forty-three-characters-as-tokens-have'
    memory.store(`first${end}`, facts('first'))
    expect(memory.recall(`other${end}`)).toBeUndefined()
    memory.store(`other${end}`, facts('other'))
    expect(memory.recall(`other${end}`)).toEqual(facts('other'))
    expect(memory.recall(`first${end}`)).toBeUndefined()
  })

  it('stays within its size, however many tokens come', () => {
    const memory = createTokenMemory(10_000)
    const tokens = Array.from({ length: 1000 }, (_, index) => `token-${index}`)
    for (const token of tokens) memory.store(token, facts('x'.repeat(100)))
    const kept = tokens.filter(token => memory.recall(token) !== undefined)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length * 100).toBeLessThan(10_000)
  })

  it('lets go of what was not used for long, and holds on to what is used', () => {
    const memory = createTokenMemory(10_000)
    memory.store('idle', facts('idle'))
    memory.store('busy', facts('busy'))
    for (let index = 0; index < 1000; index++) {
      memory.store(`token-${index}`, facts('x'.repeat(100)))
      expect(memory.recall('busy')).toEqual(facts('busy'))
    }
    expect(memory.recall('idle')).toBeUndefined()
  })

  it('does not take in what would fill it alone', () => {
    const memory = createTokenMemory(2000)
    memory.store('small', facts('x'))
    memory.store('large', facts('x'.repeat(2000)))
    expect(memory.recall('large')).toBeUndefined()
    expect(memory.recall('small')).toEqual(facts('x'))
  })
})
