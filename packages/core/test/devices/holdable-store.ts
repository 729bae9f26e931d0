import type { CompleteAdapter } from '../../../adapters/src/memory.ts'

/** The store of one server, where something can happen before or after a call: `at` counts the calls of that name. */
export function holdable(store: CompleteAdapter) {
  const holds: { name: string; at: number; act: () => Promise<unknown>; after: boolean }[] = []
  const counts = new Map<string, number>()
  const wrapped = Object.fromEntries(
    Object.entries(store).map(([name, member]) => {
      if (typeof member !== 'function') return [name, member]
      return [
        name,
        async (...args: unknown[]) => {
          const count = (counts.get(name) ?? 0) + 1
          counts.set(name, count)
          const hold = holds.find(each => each.name === name && each.at === count)
          if (hold && !hold.after) await hold.act()
          const result = await Reflect.apply(member as () => unknown, store, args)
          if (hold?.after) await hold.act()
          return result
        },
      ]
    }),
  ) as unknown as CompleteAdapter
  return {
    wrapped,
    before: (name: string, at: number, act: () => Promise<unknown>) =>
      void holds.push({ name, at, act, after: false }),
    after: (name: string, at: number, act: () => Promise<unknown>) =>
      void holds.push({ name, at, act, after: true }),
  }
}
