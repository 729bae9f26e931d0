import type { HashArgon2, PasswordHashing, PasswordVerifier } from '../providers/password.ts'
import { ARGON2_VERSION, argon2, argon2CostOf, argon2OfRuntime } from './argon2.ts'
import { equalBytes } from './equal-bytes.ts'
import { takeTurns } from './limit-concurrency.ts'
import { nodeCrypto } from './node-crypto.ts'
import { normalizePassword } from './normalize.ts'
import { type CompleteHashing, completeHashing } from './password-defaults.ts'
import { type PhcString, readPhc, writePhc } from './phc.ts'
import { scrypt, scryptCostOf } from './scrypt.ts'

/** `outdated`: right, but should be hashed again. */
export type PasswordVerification = 'right' | 'outdated' | 'wrong'

/** Makes and checks the hashes of one application. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Checks a password. Null is for an unknown user, and takes as long as a wrong password. Throws, after the same
   * time, if the stored hash cannot be checked; the message is the reason.
   */
  verify(password: string, stored: string | null): Promise<PasswordVerification>
  /** A hash that no password matches, unlike any other. It is checked like those of passwords. */
  unmatchable(): string
  /** How many are waiting for their turn. */
  waiting(): number
}

/** A stored hash that cannot be checked with any password. The cause is the reason. */
export class UnreadableHash extends Error {
  override name = 'UnreadableHash'
}

const SALT_BYTES = 16
const HASH_BYTES = 32
/** Of one that is cut off, any password could be right. */
const MIN_BYTES = 16

/** Makes a hasher. Whatever it hashed before, and whatever the verifiers know, it can check. */
export function createHasher(
  options: PasswordHashing = {},
  verifiers: readonly PasswordVerifier[] = [],
): PasswordHasher {
  const hashing = completeHashing(options)
  const turn = takeTurns(hashing.concurrency)
  const runArgon2 = hashing.argon2id ?? argon2OfRuntime()
  const current = currentOf(hashing, runArgon2)
  const { randomBytes } = nodeCrypto()

  async function derive(password: string, parameters: Omit<PhcString, 'hash'>, length: number) {
    const bytes = new TextEncoder().encode(normalizePassword(password))
    const phc = { ...parameters, hash: new Uint8Array() }
    const scryptCost = scryptCostOf(phc)
    if (scryptCost) return scrypt(bytes, parameters.salt, scryptCost, length)
    const argon2Cost = argon2CostOf(phc)
    if (argon2Cost && runArgon2)
      return argon2(runArgon2, bytes, parameters.salt, argon2Cost, length)
    throw new Error(
      `A stored password was hashed by ${JSON.stringify(parameters.id)}, which cannot be computed here. For argon2id, run Node ` +
        '24.7 or later, or hand hashRaw of @node-rs/argon2 to hashing.argon2id.',
    )
  }

  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const salted = { ...current, salt }
    return writePhc({ ...salted, hash: await derive(password, salted, HASH_BYTES) })
  }

  const unmatchable = () =>
    writePhc({ ...current, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) })

  // For an unknown user.
  const decoy = unmatchable()

  async function verify(password: string, stored: string): Promise<PasswordVerification> {
    let found: { readonly isRight: boolean; readonly isCurrent: boolean }
    try {
      found = await check(password, stored)
    } catch (cause) {
      await hash(password) // after the same time as for any other; and if hashing itself fails, that is the error
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new UnreadableHash(message, { cause })
    }
    const { isRight, isCurrent } = found
    if (isCurrent) return isRight ? 'right' : 'wrong'
    if (isRight) return 'outdated' // hashing it again takes as long as what follows
    await hash(password)
    return 'wrong'
  }

  async function check(password: string, stored: string) {
    const verifier = verifiers.find(each => each.recognises(stored))
    if (verifier) return { isRight: await verifier.verify(password, stored), isCurrent: false }
    const phc = readPhc(stored)
    if (!phc) {
      throw new Error(
        'A stored password has a hash of a kind that nothing here knows. Name what made it in `verifiers`.',
      )
    }
    if (phc.hash.length < MIN_BYTES)
      throw new RangeError('A stored password has a hash that is cut off.')
    const isRight = equalBytes(await derive(password, phc, phc.hash.length), phc.hash)
    return { isRight, isCurrent: isAsGood(phc, current) }
  }

  return {
    hash: password => turn(() => hash(password)),
    verify: (password, stored) => turn(() => verify(password, stored ?? decoy)),
    unmatchable,
    waiting: turn.waiting,
  }
}

type Current = Pick<PhcString, 'id' | 'version' | 'parameters'>

function currentOf(hashing: CompleteHashing, runArgon2: HashArgon2 | null): Current {
  const { algorithm = runArgon2 ? 'argon2id' : 'scrypt' } = hashing
  return algorithm === 'argon2id'
    ? {
        id: 'argon2id',
        version: ARGON2_VERSION,
        parameters: { ...hashing.argon2Cost },
      }
    : { id: 'scrypt', parameters: { ...hashing.scryptCost } }
}

/** Whether it costs at least as much to guess at as one that is made now. */
function isAsGood(phc: PhcString, current: Current): boolean {
  if (phc.id !== current.id || phc.hash.length < HASH_BYTES) return false
  return Object.entries(current.parameters).every(
    ([name, min]) => (phc.parameters[name] ?? 0) >= min,
  )
}
