/** Remembers what tokens say that were opened, so that opening one again costs no cryptography. */
export interface TokenMemory<Facts> {
  /** What a token says that was opened a short while ago. */
  recall(token: string): Facts | undefined
  /** To be told of tokens only that were verified: whatever is in here is believed. */
  keep(token: string, facts: Facts): void
}

/** What an entry takes beside its characters, roughly: a few small objects and a place in a map. */
const OVERHEAD = 400

/**
 * Keeps what was used most recently, within a number of bytes. There are two halves: new entries and
 * those that are used again go into the young one; when that is full, it becomes the old one, and the
 * old one is let go. So nothing has to be reordered at a hit, and nothing is searched at a miss.
 */
export function createTokenMemory<Facts extends { readonly text: string }>(
  bytes: number,
): TokenMemory<Facts> {
  let young = new Map<string, Kept<Facts>>()
  let old = new Map<string, Kept<Facts>>()
  let used = 0

  function put(kept: Kept<Facts>): void {
    const { token, facts } = kept
    // A character takes two bytes where one of them is beyond Latin-1; what is parsed is held again.
    const size = token.length + facts.text.length * 2 + OVERHEAD
    if (size > bytes / 2) return
    if (used + size > bytes / 2) {
      old = young
      young = new Map()
      used = 0
    }
    young.set(endOf(token), kept)
    used += size
  }

  return {
    recall(token) {
      const end = endOf(token)
      const kept = young.get(end)
      if (kept?.token === token) return kept.facts
      const earlier = old.get(end)
      if (earlier?.token !== token) return undefined
      put(earlier)
      return earlier.facts
    },
    keep: (token, facts) => put({ token: copyOf(token), facts }),
  }
}

interface Kept<Facts> {
  readonly token: string
  readonly facts: Facts
}

/**
 * What entries are found by. The hash of a whole token costs more than everything else about a hit;
 * its end, which authenticates it, tells it from all others. What counts is that all of it is equal.
 */
function endOf(token: string): string {
  return token.slice(-END)
}

const END = 43

/** A text that was cut from a header keeps all of the header in memory. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string // a text is a text again
}
