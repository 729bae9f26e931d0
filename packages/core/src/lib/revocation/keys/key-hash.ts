/** Of long names, so many letters are hashed at either end: there they differ, and not in what is between. */
const HASHED = 8

/**
 * 32 bits of a key, computed fast: it is done for every token that is opened. A collision only costs a lookup, so an
 * attacker gains nothing by one.
 */
export function hashOf(kind: string, name: string): number {
  const { length } = name
  const head = Math.min(length, HASHED)
  let hash = stir(kind.charCodeAt(0), length)
  for (let i = 0; i < head; i++) hash = stir(hash, name.charCodeAt(i))
  for (let i = Math.max(head, length - HASHED); i < length; i++) {
    hash = stir(hash, name.charCodeAt(i))
  }
  return mixed(hash)
}

/** The hash of a log's key in the filter; undefined if its name was escaped. */
export function hashOfText(key: string): number | undefined {
  return key.includes('%') ? undefined : hashOf(key.slice(0, 2), key.slice(2))
}

/**
 * The same for a name of 32 hexadecimal digits that nothing follows, or at least eight letters: by its first digits, and its last
 * or what follows them.
 */
export function hashOfDigits(
  kind: number,
  head: number,
  tail: number | string,
  length: number,
): number {
  let hash = stirDigits(stir(kind, length), head)
  if (typeof tail === 'number') hash = stirDigits(hash, tail)
  else {
    for (let i = tail.length - HASHED; i < tail.length; i++) hash = stir(hash, tail.charCodeAt(i))
  }
  return mixed(hash)
}

/** Eight hexadecimal digits as letters, the first one first. */
function stirDigits(before: number, word: number): number {
  let hash = before
  for (let shift = 28; shift >= 0; shift -= 4) {
    const digit = (word >>> shift) & 15
    hash = stir(hash, digit < 10 ? 48 + digit : 87 + digit)
  }
  return hash
}

/** 32 bits of a text (FNV-1a). */
export function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = stir(hash, text.charCodeAt(i))
  return mixed(hash)
}

function stir(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x01000193)
}

function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0
}
