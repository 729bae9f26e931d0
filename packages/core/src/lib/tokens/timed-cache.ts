/** Remembers values for a while. */
export interface TimedCache<Value> {
  get(key: string, now: number): Value | undefined
  set(key: string, value: Value, until: number): void
  clear(): void
}

/** As many as people who are at work at the same time; those that were set first go first. */
const MAX_ENTRIES = 2000

/** Makes a {@link TimedCache}. */
export function createTimedCache<Value>(): TimedCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    get(key, now) {
      const found = entries.get(key)
      if (!found) return undefined
      if (found.until > now) return found.value
      entries.delete(key)
      return undefined
    },
    set(key, value, until) {
      entries.delete(key)
      const [first] = entries.size >= MAX_ENTRIES ? entries.keys() : []
      if (first !== undefined) entries.delete(first)
      entries.set(key, { value, until })
    },
    clear: () => entries.clear(),
  }
}
