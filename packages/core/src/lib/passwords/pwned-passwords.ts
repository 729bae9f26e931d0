import type { Blocklist } from '../providers/password.ts'
import { nodeCrypto } from './node-crypto.ts'

/** The service that has published passwords. */
export interface PwnedPasswordsOptions {
  /** A service with the interface of haveibeenpwned.com. Defaults to `https://api.pwnedpasswords.com/range/`. */
  url?: string
  fetch?: typeof fetch
  /** After how many milliseconds the password is accepted unseen. Defaults to 2000. */
  timeout?: number
}

/**
 * Finds passwords that were published, by asking haveibeenpwned.com. The request contains five characters of a hash,
 * which hundreds of others share.
 *
 * @example
 * ```ts
 * import { pwnedPasswords } from '@siteauth/core/passwords'
 *
 * export const rules = { blocklist: pwnedPasswords() }
 * ```
 */
export function pwnedPasswords(options: PwnedPasswordsOptions = {}): Blocklist {
  const { url = 'https://api.pwnedpasswords.com/range/', timeout = 2000 } = options
  return async password => {
    const hash = sha1Of(password)
    const response = await (options.fetch ?? fetch)(url + hash.slice(0, 5), {
      // Responses of about the same length, so that an observer cannot tell which range was requested.
      headers: { 'add-padding': 'true' },
      signal: AbortSignal.timeout(timeout),
    })
    if (!response.ok) throw new Error(`The list of known passwords answered ${response.status}.`)
    const lines = (await response.text()).split(/\r?\n/)
    // Padding has a count of 0.
    return lines.some(line => line.startsWith(`${hash.slice(5)}:`) && !/:0+$/.test(line))
  }
}

/** The SHA-1 that lists of known passwords go by, in capitals. */
export function sha1Of(password: string): string {
  return nodeCrypto().createHash('sha1').update(password).digest('hex').toUpperCase()
}
