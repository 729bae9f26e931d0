/**
 * Whether two texts are equal, in a time that does not depend on where they differ. The time does
 * depend on the lengths, so compare digests or tokens, whose lengths are known.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

/** The same for bytes. */
export function equalBytesInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let at = 0; at < left.length; at++) difference |= (left[at] ?? 0) ^ (right[at] ?? 0)
  return difference === 0
}
