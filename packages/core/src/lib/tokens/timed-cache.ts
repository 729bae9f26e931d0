/** Remembers values for a while. */
export interface Memo<Value> {
  get(key: string, now: number): Value | undefined
  set(key: string, value: Value, until: number): void
  clear(): void
}

/** As many as people who are at work at the same time; those that were set first go first. */
const MOST = 2000

/** Makes a {@link Memo}. */
export function createMemo<Value>(): Memo<Value> {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    get(key, now) {
      const found = kept.get(key)
      if (!found) return undefined
      if (found.until > now) return found.value
      kept.delete(key)
      return undefined
    },
    set(key, value, until) {
      kept.delete(key)
      const [first] = kept.size >= MOST ? kept.keys() : []
      if (first !== undefined) kept.delete(first)
      kept.set(key, { value, until })
    },
    clear: () => kept.clear(),
  }
}
