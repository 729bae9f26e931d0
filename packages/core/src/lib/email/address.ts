/**
 * Turns what a visitor typed into one address, or null. Strict, because whatever two programs read
 * differently here is a way to have somebody else's link sent to oneself: no lists, names, comments,
 * quotes or look-alikes of the signs that part them.
 */
export function parseAddress(typed: unknown): string | null {
  if (typeof typed !== 'string' || typed.length > LONGEST_INPUT) return null
  // First the canonical form, then the checks: some signs only become what they are by it.
  const text = typed.normalize('NFKC').trim().toLowerCase()
  const [, local, domain] = /^([^@]+)@([^@]+)$/.exec(text) ?? []
  if (!local || !domain || local.length > 64 || domain.length > 253) return null
  return localPart.test(local) && isDomain(domain) ? text : null
}

const LONGEST_INPUT = 1000

// RFC 5321 §4.1.2, without quoted forms; RFC 6531 lets letters of other scripts in. Not first: what
// a mail program on the command line would take for an option.
const localPart =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~][\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]*(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u

const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  return labels.length > 1 && labels.every(each => label.test(each))
}
