/** How often a callback has run in this process, by what it ran for. */
const key = Symbol.for('fixture.counts')
const shared = globalThis as unknown as Record<symbol, Map<string, number>>
shared[key] ??= new Map()
export const counts: Map<string, number> = shared[key]

export function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
