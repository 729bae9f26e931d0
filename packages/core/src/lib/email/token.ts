import { toHex } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'

/** Hashes the tokens that are sent by email, so that the stored value cannot be used to sign in. */
export interface EmailTokens {
  /** The stored value. */
  hash(token: string): Promise<string>
  /** Everything that may be stored of a token, the likeliest first. */
  candidates(token: string): Promise<readonly string[]>
}

/**
 * SHA-256 over the token and the secret; several secrets are joined by commas. The form is known:
 * links that were sent before the library was swapped keep working. A token that was hashed before
 * secrets were added or removed is found, too.
 */
export function createEmailTokens(
  primitives: Pick<CryptoPrimitives, 'digest'>,
  secrets: readonly string[],
): EmailTokens {
  const joined = secrets.join(',')

  async function hashWith(token: string, secret: string): Promise<string> {
    return toHex(await primitives.digest('SHA-256', token + secret))
  }

  return {
    hash: token => hashWith(token, joined),
    candidates: token =>
      Promise.all([...suffixes(secrets), ...secrets].map(secret => hashWith(token, secret))).then(
        hashes => [...new Set(hashes)],
      ),
  }
}

/** The list itself, and what it was before newer secrets were put in front. */
function suffixes(secrets: readonly string[]): string[] {
  return secrets.map((_, from) => secrets.slice(from).join(','))
}
