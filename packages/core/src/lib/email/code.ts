import { equalInConstantTime } from '#crypto'
import { toBase64Url } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import { PURPOSES } from '../crypto/purposes.ts'

/** RFC 8628 §6.1: no vowels, so that no words come out, and nothing that is mistaken for something else. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** How long a code works, in seconds. */
export const CODE_MAX_AGE = 600

/** How many guesses there are at a code. */
export const CODE_ATTEMPTS = 5

/** Makes the codes that are sent beside links. */
export interface EmailCodes {
  /** The code that belongs to the token of a link: as long as the token is secret, so is the code. */
  codeFor(link: SignInLink): Promise<string>
  /** The stored part of a code. */
  hash(code: string, id: string): Promise<string>
  /** Whether what is kept is kept of this code. */
  isHashOf(hash: string, code: string, id: string): Promise<boolean>
}

/** The purpose of a link. */
interface SignInLink {
  readonly token: string
  readonly identifier: string
}

/** Codes of eight letters, which is 34 bits. */
export function createEmailCodes(
  primitives: Pick<CryptoPrimitives, 'digest'>,
  secrets: readonly string[],
): EmailCodes {
  const [secret = ''] = secrets

  async function hash(code: string, id: string): Promise<string> {
    return toBase64Url(
      await primitives.digest('SHA-256', `${PURPOSES.emailCode} ${id} ${code} ${secret}`),
    )
  }

  return {
    async codeFor({ token, identifier }) {
      let code = ''
      for (let round = 0; code.length < LENGTH; round++) {
        const text = JSON.stringify([PURPOSES.emailCode, round, identifier, token, secret])
        code += [...(await primitives.digest('SHA-512', text))].map(letterFor).join('')
      }
      return code.slice(0, LENGTH)
    },
    hash,
    isHashOf: async (stored, code, id) => equalInConstantTime(stored, await hash(code, id)),
  }
}

/** Nothing for the last bytes, which would make some letters likelier than others. */
function letterFor(byte: number): string {
  return byte < 256 - (256 % ALPHABET.length) ? (ALPHABET[byte % ALPHABET.length] ?? '') : ''
}

/** A code as people read it: `WDJB-MJHT`. */
export function writeCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** The code that a user entered, with or without a dash, in any case; null if it cannot be one. */
export function readCode(input: unknown): string | null {
  if (typeof input !== 'string' || input.length > 100) return null
  const code = input
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{P}]/gu, '')
  return FORM.test(code) ? code : null
}

const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
