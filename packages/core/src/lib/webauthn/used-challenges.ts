/** Remembers which challenges were answered, for as long as they could be answered again. */
export interface UsedChallenges {
  /** Whether this is the first answer. */
  claim(challenge: string, now: number): boolean
}

/** Longer than a challenge lives, with the difference between clocks. */
const MAX_AGE_MS = 6 * 60_000

/** In the memory of this process. The store remembers for all of them, where it can. */
export function createUsedChallenges(): UsedChallenges {
  const used = new Map<string, number>()
  return {
    claim(challenge, now) {
      // The map keeps the order in which they were used.
      for (const [each, usedAt] of used) {
        if (usedAt > now - MAX_AGE_MS) break
        used.delete(each)
      }
      if (used.has(challenge)) return false
      used.set(challenge, now)
      return true
    },
  }
}
