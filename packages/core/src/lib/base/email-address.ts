/**
 * Reads one email address, in lower case, or null. Every address goes through here, whether it came
 * from a visitor, a provider or an application. Anything two programs read differently is a way
 * into someone else's account, so there are no lists, names, comments, quotes, control or invisible
 * characters or encoded words, and no second `@`.
 *
 * Only ASCII is lowercased: the Kelvin sign in lower case is an ordinary k, which makes another
 * person's address. For the same reason, an address that Unicode treats as equivalent to another
 * (NFKC) is refused rather than converted: vouching for one is not vouching for the other.
 */
export function readAddress(written: unknown): string | null {
  if (typeof written !== 'string' || !oneAddress.test(written)) return null
  if (written.includes('=?') || written.normalize('NFKC') !== written) return null
  return lowerAscii(written)
}

/**
 * Like {@link readAddress}, for what someone typed to be sent mail at: blanks around it do not
 * matter, and it has to be an address that mail servers take.
 */
export function parseEnteredAddress(input: unknown): string | null {
  const address = typeof input === 'string' ? readAddress(input.trim()) : null
  const [local = '', domain = ''] = address?.split('@') ?? []
  return localPart.test(local) && isDomain(domain) ? address : null
}

/** Whether two addresses are one. Stores may find more than they were asked for. */
export function isSameAddress(one: unknown, other: unknown): boolean {
  return (
    typeof one === 'string' && typeof other === 'string' && lowerAscii(one) === lowerAscii(other)
  )
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

// \p{C}: control, format, unassigned and lone surrogate code points. \p{DI}: all others that are invisible.
const oneAddress = /^[^\s@\p{C}\p{DI}"(),:;<>[\\\]]{1,64}@[^\s@\p{C}\p{DI}"(),:;<>[\\\]]{1,253}$/u

// RFC 5321 §4.1.2, without quoted forms; RFC 6531 lets letters of other scripts in. Not first: what
// a mail program on the command line would take for an option.
const localPart =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~][\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]*(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u

const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  return labels.length > 1 && labels.every(each => label.test(each))
}
