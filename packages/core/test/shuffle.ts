/**
 * Requests in an order that a seed stands for. Each is split where it asks a store, and the pieces are
 * shuffled.
 */
export function createShuffler(seed: number) {
  const random = generator(seed)
  const waiting: (() => void)[] = []
  let isShuffling = false

  return {
    random,
    pick: <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T,
    /** Asks a store, when it is this request's turn. */
    async inTurn<T>(ask: () => T | PromiseLike<T>): Promise<T> {
      if (isShuffling) await new Promise<void>(resolve => waiting.push(resolve))
      return ask()
    },
    async run(acts: readonly (() => Promise<unknown>)[]): Promise<void> {
      isShuffling = true
      const requests = acts.map(act => act())
      let open = requests.length
      for (const request of requests) void request.finally(() => open--).catch(() => {})
      while (open > 0) {
        await new Promise(resolve => setImmediate(resolve))
        const [next] = waiting.splice(Math.floor(random() * waiting.length), 1)
        next?.()
      }
      isShuffling = false
      await Promise.all(requests)
    },
  }
}

/** The same numbers for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
