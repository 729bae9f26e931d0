import type { Awaitable } from '../base/awaitable.ts'
import type { CommonProviderOptions } from '../base/provider-type.ts'
import type { EmailConfig } from './email.ts'
import type { EmailMessage } from './messages/email-message.ts'
import type { PasswordMailReason } from './messages/password-message.ts'

/** The cost of scrypt. */
export interface ScryptCost {
  /** The logarithm of N to the base of 2: each step doubles time and memory. Defaults to 17. */
  ln?: number
  /** Defaults to 8. The memory is 128 · N · r bytes. */
  r?: number
  /** Defaults to 1. */
  p?: number
}

/** The cost of argon2id. */
export interface Argon2Cost {
  /** The memory in KiB. Defaults to 19456. */
  m?: number
  /** The number of passes. Defaults to 2. */
  t?: number
  /** Defaults to 1. */
  p?: number
}

/** Computes argon2id. `hashRaw` of `@node-rs/argon2` is one. */
export type HashArgon2 = (
  password: Uint8Array,
  options: {
    salt: Uint8Array
    /** In KiB. */
    memoryCost: number
    timeCost: number
    parallelism: number
    outputLen: number
    /** Argon2id. */
    algorithm: 2
  },
) => Promise<Uint8Array>

/** How passwords are hashed. */
export interface PasswordHashing {
  /** Defaults to `argon2id` if it can be computed, otherwise to `scrypt`. */
  algorithm?: 'argon2id' | 'scrypt'
  scryptCost?: ScryptCost
  argon2Cost?: Argon2Cost
  /** Computes argon2id. Defaults to what Node has from 24.7 on. */
  argon2id?: HashArgon2
  /** How many hashes this process computes at once; the others wait. Each takes its memory. Defaults to 2. */
  concurrency?: number
}

/** Checks passwords that another system has hashed. They are hashed again when the user signs in. */
export interface PasswordVerifier {
  /** Whether a hash is of this kind. */
  recognises(stored: string): boolean
  verify(password: string, stored: string): Promise<boolean>
}

/** Finds passwords that too many people know. Returns whether this is one; throws if it is unknown. */
export type Blocklist = (password: string) => Awaitable<boolean>

/** The rules for new passwords. */
export interface PasswordRules {
  /** The fewest characters. Defaults to 15; NIST allows 8 only beside a second factor. */
  minLength?: number
  /** The most characters, 64 or more. Defaults to 256. */
  maxLength?: number
  /** Words that a password must not mainly consist of, such as the name of the application. */
  forbiddenWords?: readonly string[]
  /** Passwords that are known to too many: see `pwnedPasswords` and `pwnedPasswordsFile`. */
  blocklist?: Blocklist
}

/** A message about a password. */
export interface PasswordMail {
  /** The address to send to. */
  to: string
  /**
   * `sign-up` and `reset` have a link to choose a password. `existing-user` is for a visitor who signs up and has an
   * account, `no-user` for one who forgot the password of an account that does not exist: only the owner of the
   * address learns of it. `changed` and `removed` notify the owner.
   */
  reason: PasswordMailReason
  /** The link. Anyone who has it can choose the password. */
  url: string | undefined
  /** The message, in the visitor's language and the application's theme. */
  message: EmailMessage
  request: Request
}

/**
 * The pages about a password: to request a link, as a new user or one who forgot it; to choose one behind the link,
 * which has `token` and `email` in its query; and to change it.
 */
export type PasswordPage = 'signUp' | 'forgot' | 'choose' | 'change'

/** Signs people in with an address and a password, which the library looks after. */
export interface PasswordConfig extends CommonProviderOptions {
  type: 'password'
  /** Sends the messages: a function, or an email provider such as `Nodemailer({ … })`. */
  mail: ((mail: PasswordMail) => Awaitable<void>) | EmailConfig
  /** How long a link works, in seconds. Defaults to an hour. */
  maxAge?: number
  /** False lets only those choose a password who are users already. */
  signUp?: boolean
  hashing?: PasswordHashing
  rules?: PasswordRules
  /** Pages of the application's own, in place of ours: paths, or URLs. */
  pages?: Partial<Record<PasswordPage, string>>
  /** Kinds of hashes that another system has left behind. */
  verifiers?: readonly PasswordVerifier[]
  options?: object
}

/** The options of a password provider. */
export type PasswordUserConfig = Omit<PasswordConfig, 'type' | 'options' | 'id' | 'name'> &
  Partial<Pick<PasswordConfig, 'id' | 'name'>>
