import { equalInConstantTime } from '#crypto'
import { toHex } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import { readSentCookies } from '../http/cookie-text.ts'

/** Makes and checks the token that a form has to repeat from a cookie. */
export interface CsrfTokens {
  /** The token inside a cookie of ours; null if the cookie is missing, forged or malformed. */
  read(cookie: string | undefined): Promise<string | null>
  /** The value of the cookie for a new token. */
  seal(token: string): Promise<string>
}

/** Whether a form repeats the token of its cookie. */
export function repeatsToken(token: string | null, field: unknown): boolean {
  return token !== null && typeof field === 'string' && equalInConstantTime(token, field)
}

/** More than a browser has of one name, unless another host plants them. */
const MAX_READ = 16

/** The tokens of the cookies with a name. Another host may have planted one, unless the name starts with `__Host-`. */
export async function readTokens(
  csrf: CsrfTokens,
  header: string | null,
  name: string,
): Promise<readonly string[]> {
  const sent = readSentCookies(header, name).filter(cookie => cookie.name === name)
  const tokens = await Promise.all(sent.slice(-MAX_READ).map(({ value }) => csrf.read(value)))
  return tokens.filter(token => token !== null)
}

/**
 * The cookie holds `token|hash`, where the hash is SHA-256 over the token and the secret. A cookie
 * that was made with any of the secrets counts, so that a form that is open while the secrets are
 * rotated can still be sent.
 */
export function createCsrfTokens(
  primitives: Pick<CryptoPrimitives, 'digest'>,
  secrets: readonly string[],
): CsrfTokens {
  const [newest = ''] = secrets
  const accepted = acceptedSecrets(secrets)

  async function hash(token: string, secret: string): Promise<string> {
    return toHex(await primitives.digest('SHA-256', token + secret))
  }

  return {
    async read(cookie) {
      const [, token, given] = form.exec(cookie ?? '') ?? []
      if (!token || !given) return null
      for (const secret of accepted) {
        if (equalInConstantTime(await hash(token, secret), given)) return token
      }
      return null
    },
    seal: async token => `${token}|${await hash(token, newest)}`,
  }
}

const form = /^([0-9a-f]{64})\|([0-9a-f]{64})$/

/**
 * Auth.js hashed with all secrets, joined by commas. One of its cookies may have been made when the
 * list was shorter at either end.
 */
function acceptedSecrets(secrets: readonly string[]): readonly string[] {
  const accepted = new Set(secrets)
  for (let from = 0; from < secrets.length; from++) {
    for (let to = from + 2; to <= secrets.length; to++) {
      accepted.add(secrets.slice(from, to).join(','))
    }
  }
  return [...accepted]
}
