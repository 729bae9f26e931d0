import { definedMembers } from '../base/defined-members.ts'
import type {
  Argon2Cost,
  PasswordConfig,
  PasswordHashing,
  PasswordRules,
  ScryptCost,
} from '../providers/password.ts'

// The defaults of options. The check of the configuration reads the same.

/** One hour: the user who requested a link is waiting for it. */
const LINK_MAX_AGE = 3600

const RULES = {
  /** NIST SP 800-63B-4 §3.1.1.2, for a password that is the only factor. */
  minLength: 15,
  /** Longer ones make nothing safer, and cost time. */
  maxLength: 256,
} as const

const HASHING = {
  /** Two: by scrypt that is 256 MiB, and there are four threads that could. */
  concurrency: 2,
  /** OWASP's floor: 128 MiB for each hash. */
  scryptCost: { ln: 17, r: 8, p: 1 },
  /** OWASP's first choice: 19 MiB, two passes. */
  argon2Cost: { m: 19_456, t: 2, p: 1 },
} as const

/** The rules for passwords, with a value for every number. */
export type CompleteRules = PasswordRules & Required<Pick<PasswordRules, 'minLength' | 'maxLength'>>

/** How passwords are hashed, with a value for every number. */
export interface CompleteHashing extends PasswordHashing {
  readonly concurrency: number
  readonly scryptCost: Required<ScryptCost>
  readonly argon2Cost: Required<Argon2Cost>
}

/** How long a link works, in seconds. */
export function passwordLinkMaxAge({ maxAge }: Pick<PasswordConfig, 'maxAge'>): number {
  return maxAge ?? LINK_MAX_AGE
}

/** Completes the rules for passwords. */
export function completeRules(rules: PasswordRules | undefined): CompleteRules {
  return { ...RULES, ...definedMembers(rules) }
}

/** Completes how passwords are hashed. The algorithm depends on the runtime: the hasher chooses it. */
export function completeHashing(hashing: PasswordHashing | undefined): CompleteHashing {
  const { concurrency, scryptCost, argon2Cost } = HASHING
  return {
    ...hashing,
    concurrency: hashing?.concurrency ?? concurrency,
    scryptCost: { ...scryptCost, ...definedMembers(hashing?.scryptCost) },
    argon2Cost: { ...argon2Cost, ...definedMembers(hashing?.argon2Cost) },
  }
}
