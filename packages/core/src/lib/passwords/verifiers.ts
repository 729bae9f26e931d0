import type { PasswordVerifier } from '../providers/password.ts'
import { assertUsualCost, isBcrypt, verifyBcrypt } from './bcrypt.ts'
import { equalBytes } from './equal-bytes.ts'
import { nodeCrypto } from './node-crypto.ts'
import { normalizePassword } from './normalize.ts'
import { type PbkdfDigest, pbkdf2 } from './pbkdf2.ts'
import { isPhpass, verifyPhpass } from './phpass.ts'
import { scrypt } from './scrypt.ts'

/** Compares a password with a hash by bcrypt. `compare` of the packages `bcrypt` and `bcryptjs` is one. */
export type CompareBcrypt = (password: string, stored: string) => Promise<boolean>

/** How hashes by bcrypt are computed. */
export interface BcryptOptions {
  /** A package that is faster than our own code, such as `bcrypt`. */
  compare?: CompareBcrypt
}

/** Hashes by bcrypt: those that begin with `$2a$`, `$2b$` or `$2y$`. */
export function bcrypt(options: BcryptOptions = {}): PasswordVerifier {
  return { recognises: isBcrypt, verify: comparerOf(options) }
}

/** Hashes of Laravel, which are by bcrypt. Those by argon2id need no verifier. */
export function laravel(options: BcryptOptions = {}): PasswordVerifier {
  return bcrypt(options)
}

/** Hashes of Devise, in Rails: by bcrypt, with the `pepper` of its initializer if there is one. */
export function devise(options: BcryptOptions & { pepper?: string } = {}): PasswordVerifier {
  const { pepper = '' } = options
  const compare = comparerOf(options)
  return {
    recognises: isBcrypt,
    verify: (password, stored) => compare(password + pepper, stored),
  }
}

/**
 * Hashes of Django: by PBKDF2, scrypt or bcrypt, as Django writes them. One that begins with `!` belongs to a user
 * without a password there, who does not have one here either.
 */
export function django(options: BcryptOptions = {}): PasswordVerifier {
  const compare = comparerOf(options)
  return {
    recognises: stored => stored.startsWith('!') || DJANGO.test(stored),
    async verify(password, stored) {
      if (stored.startsWith('!')) return false
      const [, kind = '', rest = ''] = DJANGO.exec(stored) ?? []
      if (kind === 'bcrypt_sha256') {
        return compare(nodeCrypto().createHash('sha256').update(password).digest('hex'), rest)
      }
      if (kind === 'bcrypt') return compare(password, rest)
      const parts = rest.split('$')
      if (kind === 'scrypt') {
        const [salt = '', n, r, p, hash = ''] = parts
        const cost = { ln: Math.log2(Number(n)), r: Number(r), p: Number(p) }
        return equalBytes(await scrypt(password, salt, cost, 64), fromBase64(hash))
      }
      const [rounds, salt = '', hash = ''] = parts
      const bytes = fromBase64(hash)
      const digest = kind === 'pbkdf2_sha1' ? 'sha1' : 'sha256'
      const key = await pbkdf2(password, { salt, rounds: Number(rounds), digest }, bytes.length)
      return equalBytes(key, bytes)
    },
  }
}

/** Hashes of phpass, as WordPress before 6.8, phpBB and Drupal 6 have them: `$P$` or `$H$`. */
export function phpass(): PasswordVerifier {
  return { recognises: isPhpass, verify: verifyPhpass }
}

/** Hashes of WordPress: `$wp$2y$` since 6.8, and those of {@link phpass} from before. */
export function wordpress(options: BcryptOptions = {}): PasswordVerifier {
  const compare = comparerOf(options)
  return {
    recognises: stored =>
      (stored.startsWith('$wp$') && isBcrypt(stored.slice(3))) || isPhpass(stored),
    async verify(password, stored) {
      if (isPhpass(stored)) return verifyPhpass(password.trim(), stored)
      const hmac = nodeCrypto().createHmac('sha384', 'wp-sha384').update(password.trim())
      return compare(hmac.digest('base64'), stored.slice(3))
    },
  }
}

/** Hashes of ASP.NET Core Identity, versions 2 and 3: base 64 of bytes that say how they were made. */
export function aspNetIdentity(): PasswordVerifier {
  return {
    recognises: stored => readAspNet(stored) !== null,
    async verify(password, stored) {
      const read = readAspNet(stored)
      return read !== null && equalBytes(await pbkdf2(password, read, read.key.length), read.key)
    },
  }
}

/** The parameters that the console of Firebase shows under “Password hash parameters”. */
export interface FirebaseParameters {
  /** `base64_signer_key` */
  signerKey: string
  /** `base64_salt_separator` */
  saltSeparator: string
  /** `rounds` */
  rounds: number
  /** `mem_cost` */
  memCost: number
}

/** Hashes of Firebase, written as `$firebase$<salt>$<passwordHash>` from the two fields of its export. */
export function firebase(parameters: FirebaseParameters): PasswordVerifier {
  const { signerKey, saltSeparator, rounds, memCost } = parameters
  return {
    recognises: stored => FIREBASE.test(stored),
    async verify(password, stored) {
      const [, salt = '', hash = ''] = FIREBASE.exec(stored) ?? []
      const salted = new Uint8Array([...fromBase64(salt), ...fromBase64(saltSeparator)])
      const key = await scrypt(password, salted, { ln: memCost, r: rounds, p: 1 }, 64)
      const start = new Uint8Array(16)
      const cipher = nodeCrypto().createCipheriv('aes-256-ctr', key.subarray(0, 32), start)
      const signed = new Uint8Array([...cipher.update(fromBase64(signerKey)), ...cipher.final()])
      return equalBytes(signed, fromBase64(hash))
    },
  }
}

/** Hashes of Better Auth: `<salt>:<key>` in hexadecimal, by scrypt. */
export function betterAuth(): PasswordVerifier {
  return {
    recognises: stored => BETTER_AUTH.test(stored),
    async verify(password, stored) {
      const [salt = '', key = ''] = stored.split(':')
      const cost = { ln: 14, r: 16, p: 1 }
      const bytes = Uint8Array.from(key.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
      return equalBytes(await scrypt(normalizePassword(password), salt, cost, 64), bytes)
    },
  }
}

const DJANGO = /^(pbkdf2_sha256|pbkdf2_sha1|scrypt|bcrypt_sha256|bcrypt)\$(.+)$/
const FIREBASE = /^\$firebase\$([A-Za-z0-9+/=_-]+)\$([A-Za-z0-9+/=_-]+)$/
const BETTER_AUTH = /^[0-9a-f]{32}:[0-9a-f]{128}$/

/** Compares by bcrypt, unless that would take too long for any implementation. */
function comparerOf({ compare = compareBcrypt }: BcryptOptions): CompareBcrypt {
  return async (password, stored) => {
    assertUsualCost(stored)
    return compare(password, stored)
  }
}

function compareBcrypt(password: string, stored: string): Promise<boolean> {
  return verifyBcrypt(new TextEncoder().encode(password), stored)
}

interface AspNetHash {
  readonly salt: Uint8Array
  readonly key: Uint8Array
  readonly rounds: number
  readonly digest: PbkdfDigest
}

function readAspNet(stored: string): AspNetHash | null {
  if (!/^[A-Za-z0-9+/]{40,}={0,2}$/.test(stored) || stored.length % 4 !== 0) return null
  const bytes = fromBase64(stored)
  if (bytes[0] === 0 && bytes.length === 49) {
    return { salt: bytes.subarray(1, 17), key: bytes.subarray(17), rounds: 1000, digest: 'sha1' }
  }
  if (bytes[0] !== 1 || bytes.length < 13 + 16 + 16) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const digest = (['sha1', 'sha256', 'sha512'] as const)[view.getUint32(1)]
  const saltEnd = 13 + view.getUint32(9)
  if (!digest || saltEnd > bytes.length - 16) return null
  const [salt, key] = [bytes.subarray(13, saltEnd), bytes.subarray(saltEnd)]
  return { salt, key, rounds: view.getUint32(5), digest }
}

/** Also of the alphabet for URLs. */
function fromBase64(text: string): Uint8Array {
  const usual = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(usual), character => character.charCodeAt(0))
}
