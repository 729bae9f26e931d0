/**
 * The same password however it was typed: keyboards and systems write one letter by different characters.
 * NIST SP 800-63B-4 §3.1.1.2 allows NFKC and NFC; the former also equates full-width letters.
 */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** How long a password is: in code points, as NIST counts. */
export function lengthOf(password: string): number {
  return [...normalizePassword(password)].length
}
