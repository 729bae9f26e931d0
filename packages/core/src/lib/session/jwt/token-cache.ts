/** Remembers what tokens say that were opened, so that opening one again costs no cryptography. */
export interface TokenMemory<Facts> {
  /** The facts about a token that was opened a short while ago. */
  recall(token: string): Facts | undefined
  /** Pass verified tokens only: every entry is trusted. */
  store(token: string, facts: Facts): void
}

/** The size of an entry beside its characters, roughly: a few small objects and a place in a map. */
const OVERHEAD = 400

/**
 * Keeps what was used most recently, within a number of bytes. There are two halves: new entries and
 * those that are used again go into the young one; when that is full, it becomes the old one, and the
 * old one is let go. So nothing has to be reordered at a hit, and nothing is searched at a miss.
 */
export function createTokenMemory<Facts extends { readonly text: string }>(
  bytes: number,
): TokenMemory<Facts> {
  let young = new Map<number, CachedToken<Facts>>()
  let old = new Map<number, CachedToken<Facts>>()
  let used = 0

  function put(cached: CachedToken<Facts>): void {
    const { token, facts } = cached
    // A character takes two bytes where one of them is beyond Latin-1; what is parsed is held again.
    const size = token.length + facts.text.length * 2 + OVERHEAD
    if (size > bytes / 2) return
    if (used + size > bytes / 2) {
      old = young
      young = new Map()
      used = 0
    }
    young.set(keyOf(token), cached)
    used += size
  }

  return {
    recall(token) {
      const key = keyOf(token)
      const cached = young.get(key)
      if (cached?.token === token) return cached.facts
      const earlier = old.get(key)
      if (earlier?.token !== token) return undefined
      put(earlier)
      return earlier.facts
    },
    store: (token, facts) => put({ token: copyOf(token), facts }),
  }
}

interface CachedToken<Facts> {
  readonly token: string
  readonly facts: Facts
}

/**
 * The key of an entry. Making a text of a part of a token, or the hash of one, costs more than everything else about
 * a hit. These characters are of the token's authentication tag, so they are random, and few tokens share them; if
 * two do, the newer stays. A hit requires that all of a token is equal.
 */
function keyOf(token: string): number {
  const at = token.length - 4 // of the last character not all bits are in use
  return (token.charCodeAt(at) << 14) | (token.charCodeAt(at + 1) << 7) | token.charCodeAt(at + 2)
}

/** A text that was cut from a header keeps all of the header in memory. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string // a text is a text again
}
