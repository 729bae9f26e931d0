import { equalInConstantTime } from '#crypto'
import { toBase64Url } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'

/** Makes the tokens of mailed links. They are signed for one provider and one address. */
export interface LinkTokens {
  /**
   * A token that is of use for this address alone.
   *
   * @param random 32 bytes in hexadecimal
   * @param startedAt when the sign-in started, in milliseconds, if that is known
   */
  issue(random: string, identifier: string, startedAt?: number): Promise<string>
  /** Reads the signature. Whether a link was sent at all, and not used yet, only the store knows. */
  read(token: string, identifier: string): Promise<ReadLinkToken>
}

/** The claims of a token. */
interface ReadLinkToken {
  readonly kind: LinkTokenKind
  /** As it was issued; undefined unless the token is one of our own that states it. */
  readonly startedAt: number | undefined
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
  async function sign(signed: string, identifier: string, secret: string): Promise<string> {
    const text = JSON.stringify([...owner, identifier, signed, secret])
    return toBase64Url(await primitives.digest('SHA-256', text)).slice(0, SIGNATURE_LENGTH)
  }

  return {
    async issue(random, identifier, startedAt) {
      const signed = startedAt === undefined ? random : `${random}.${startedAt.toString(36)}`
      return `${signed}.${await sign(signed, identifier, secrets[0] ?? '')}`
    },
    async read(token, identifier) {
      const [, signed = '', time, signature = ''] = SIGNED.exec(token) ?? []
      if (!signed) return { kind: 'unsigned', startedAt: undefined }
      const signatures = await Promise.all(secrets.map(secret => sign(signed, identifier, secret)))
      if (!signatures.some(right => equalInConstantTime(right, signature))) {
        return { kind: 'of another', startedAt: undefined }
      }
      return { kind: 'own', startedAt: time === undefined ? undefined : Number.parseInt(time, 36) }
    },
  }
}

/** 132 bits, in base64url. */
const SIGNATURE_LENGTH = 22

/** The text that is signed, the time in it, and the signature. */
const SIGNED = /^([0-9a-f]{64}(?:\.([0-9a-z]{1,11}))?)\.([\w-]{22})$/

/** Whether a token has a signature, right or wrong. */
export function isSigned(token: string): boolean {
  return SIGNED.test(token)
}

/** Whether a token has the form that Auth.js and older versions give theirs. */
export function isPlainToken(token: string): boolean {
  return /^[0-9a-f]{64}$/.test(token)
}
