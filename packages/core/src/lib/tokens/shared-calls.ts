/** Lets those who want the same thing at the same time share what the first of them begins. */
export interface SharedCalls {
  join<Result>(key: string, begin: () => Promise<Result>): Promise<Result>
}

/** Makes the {@link SharedCalls} of one process. */
export function createSharedCalls(): SharedCalls {
  const pending = new Map<string, Promise<unknown>>()
  return {
    join<Result>(key: string, begin: () => Promise<Result>): Promise<Result> {
      const existing = pending.get(key)
      if (existing) return existing as Promise<Result> // one key, one kind of thing
      const call = begin().finally(() => pending.delete(key))
      pending.set(key, call)
      return call
    },
  }
}
