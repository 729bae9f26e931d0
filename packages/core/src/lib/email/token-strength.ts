/** What a token must have so that it cannot be guessed before it expires. */
export const MIN_TOKEN_BITS = 64

/** Kinds of characters, and how many there are of each. Anything else counts as one of 33, as many as ASCII has. */
const KINDS: readonly (readonly [pattern: RegExp, count: number])[] = [
  [/\d/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^\da-z]/i, 33],
]

/** How many bits a token has at most, by its length and the kinds of characters in it. Whether it is random, it does not tell. */
export function maxTokenBits(token: string): number {
  const alphabet = /^[\da-f]+$/.test(token) && /[a-f]/.test(token) ? 16 : countOf(token)
  return token.length * Math.log2(Math.max(alphabet, 1))
}

function countOf(token: string): number {
  return KINDS.reduce((sum, [pattern, count]) => sum + (pattern.test(token) ? count : 0), 0)
}
