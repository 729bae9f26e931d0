import { equalInConstantTime } from '#crypto'
import { toBase64Url } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'

/** Makes the tokens of mailed links. Their signature says which provider takes them, and for which address. */
export interface LinkTokens {
  /**
   * A token that is of use for this address alone.
   *
   * @param random 32 bytes in hexadecimal
   */
  issue(random: string, identifier: string): Promise<string>
  /** Reads the signature. Whether a link was sent at all, and not used yet, only the store knows. */
  read(token: string, identifier: string): Promise<LinkTokenKind>
}

/** `unsigned`: a token of an older version, of Auth.js, or of the application's own making. */
type LinkTokenKind = 'own' | 'of another' | 'unsigned'

/**
 * The store has a hash of the whole token, so a token without its signature is not found there. Older versions and Auth.js
 * take the whole for random text.
 *
 * @param owner what takes the links: a purpose, and the id of a provider
 */
export function createLinkTokens(
  primitives: Pick<CryptoPrimitives, 'digest'>,
  secrets: readonly string[],
  owner: readonly [purpose: string, provider: string],
): LinkTokens {
  async function sign(random: string, identifier: string, secret: string): Promise<string> {
    const text = JSON.stringify([...owner, identifier, random, secret])
    return toBase64Url(await primitives.digest('SHA-256', text)).slice(0, SIGNATURE_LENGTH)
  }

  return {
    async issue(random, identifier) {
      return `${random}.${await sign(random, identifier, secrets[0] ?? '')}`
    },
    async read(token, identifier) {
      const [, random = '', signature = ''] = SIGNED.exec(token) ?? []
      if (!random) return 'unsigned'
      const signatures = await Promise.all(secrets.map(secret => sign(random, identifier, secret)))
      const isOwn = signatures.some(right => equalInConstantTime(right, signature))
      return isOwn ? 'own' : 'of another'
    },
  }
}

/** 132 bits, in base64url. */
const SIGNATURE_LENGTH = 22

const SIGNED = /^([0-9a-f]{64})\.([\w-]{22})$/

/** Whether a token has a signature, right or wrong. */
export function isSigned(token: string): boolean {
  return SIGNED.test(token)
}

/** Whether a token has the form that Auth.js and older versions give theirs. */
export function isPlainToken(token: string): boolean {
  return /^[0-9a-f]{64}$/.test(token)
}
