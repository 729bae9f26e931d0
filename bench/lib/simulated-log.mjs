import { keyOf } from './logs.mjs'

/** As our adapters read a log. */
const PAGE = 1000
const DAY = 86_400_000

/** A log with no store behind it, of so many entries and some others. */
export function simulatedLog(size, others) {
  const until = new Date(Date.now() + 30 * DAY)
  const given = others.map(entry => ({ ...entry, until: new Date(entry.until) }))
  return {
    end: async requested => requested.map(entry => ({ generation: null, ...entry })),
    find: async keys => given.filter(({ key }) => keys.includes(key)),
    since: async () => ({ revocations: [], now: new Date() }),
    async page(cursor) {
      await new Promise(resolve => setTimeout(resolve, 1)) // as if it came from a network
      const from = Number(cursor ?? 0)
      const count = Math.min(PAGE, size - from)
      const isLast = from + count >= size
      const entries = Array.from({ length: count }, (_, index) => {
        return { key: keyOf(from + index), generation: null, until }
      })
      return {
        revocations: isLast ? [...entries, ...given] : entries,
        now: new Date(),
        next: isLast ? null : String(from + count),
      }
    },
  }
}
