/** Remembers the texts of tokens that were opened, so that opening one again costs no cryptography. */
export interface TokenMemory {
  /** The text of a token that was opened a short while ago. */
  recall(token: string): string | undefined
  /** To be told of tokens only that were verified: whatever is in here is believed. */
  keep(token: string, text: string): void
}

/** What an entry takes beside its characters, roughly: two strings and their place in a map. */
const OVERHEAD = 120

/**
 * Keeps what was used most recently, within a number of bytes. There are two halves: new entries and
 * those that are used again go into the young one; when that is full, it becomes the old one, and the
 * old one is let go. So nothing has to be reordered at a hit, and nothing is searched at a miss.
 */
export function createTokenMemory(bytes: number): TokenMemory {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  let used = 0

  function put(token: string, text: string): void {
    const size = token.length + text.length * 2 + OVERHEAD
    if (size > bytes / 2) return
    if (used + size > bytes / 2) {
      old = young
      young = new Map()
      used = 0
    }
    young.set(token, text)
    used += size
  }

  return {
    recall(token) {
      const text = young.get(token)
      if (text !== undefined) return text
      const earlier = old.get(token)
      if (earlier !== undefined) put(copyOf(token), earlier)
      return earlier
    },
    keep: (token, text) => put(copyOf(token), text),
  }
}

/** A text that was cut from a header keeps all of the header in memory. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string // a text is a text again
}
