import { describe, expect, it } from 'vitest'
import { wrapStore } from './wrap-store.ts'

interface Store {
  read(name: string): string
  write?(name: string): void
  readonly kind: 'memory'
}

const store: Store = { read: name => `row ${name}`, kind: 'memory' }

describe('a wrapped store', () => {
  it('has the wrapped methods, and the others as they were', () => {
    const wrapped = wrapStore<Store, 'write' | 'kind'>(store, {
      read: read => name => read(name.toUpperCase()),
    })
    expect(wrapped.read('a')).toBe('row A')
    expect(wrapped.kind).toBe('memory')
    expect(store.read('a')).toBe('row a')
  })

  it('lacks the methods that the store lacks', () => {
    const wrapped = wrapStore<Store, 'read' | 'kind'>(store, {
      write: write => name => write(name.toUpperCase()),
    })
    expect(wrapped.write).toBeUndefined()
  })

  it('does not compile before someone has decided about each member', () => {
    // @ts-expect-error `write` is neither wrapped nor among the unchanged ones
    const wrapped = wrapStore<Store, 'kind'>(store, { read: read => read })
    expect(wrapped.read('a')).toBe('row a')
  })
})
