import type { Argon2Cost, HashArgon2 } from '../providers/password.ts'
import { nodeCrypto } from './node-crypto.ts'
import type { PhcString } from './phc.ts'

/** The only version that there is to write: RFC 9106. */
export const ARGON2_VERSION = 19

/** The most memory that a hash may need, from any source: 1 GiB, in KiB. */
const MAX_MEMORY = 2 ** 20
/** The same for time, as KiB times passes: a hundred times what we ask for, which is some seconds. */
const MAX_WORK = 2 ** 22
/** More threads than any hash is made with. */
const MAX_LANES = 255

/** As Node has it from 24.7 on. */
interface Argon2InNode {
  argon2?(
    algorithm: 'argon2id',
    parameters: Readonly<Record<string, Uint8Array | string | number>>,
    callback: (error: Error | null, key: Uint8Array) => void,
  ): void
}

/** How this runtime hashes by argon2id; null if it cannot. */
export function argon2OfRuntime(): HashArgon2 | null {
  const crypto = nodeCrypto() as Argon2InNode // the types that we compile with are older
  if (!crypto.argon2) return null
  return (message, { salt, memoryCost, timeCost, parallelism, outputLen }) =>
    new Promise((resolve, reject) => {
      const parameters = {
        message,
        nonce: salt,
        parallelism,
        tagLength: outputLen,
        memory: memoryCost,
        passes: timeCost,
      }
      crypto.argon2?.('argon2id', parameters, (error, key) =>
        error ? reject(error) : resolve(key),
      )
    })
}

/** Derives a key by argon2id. */
export async function argon2(
  hash: HashArgon2,
  password: Uint8Array,
  salt: Uint8Array,
  { m, t, p }: Required<Argon2Cost>,
  length: number,
): Promise<Uint8Array> {
  if (!(m <= MAX_MEMORY)) throw new RangeError('A hash by argon2id asks for over 1 GiB.')
  if (!(m * t <= MAX_WORK && p <= MAX_LANES)) {
    throw new RangeError('A hash by argon2id asks for more than some seconds.')
  }
  return hash(password, {
    salt,
    memoryCost: m,
    timeCost: t,
    parallelism: p,
    outputLen: length,
    algorithm: 2,
  })
}

/** The cost that a stored hash was made with; null if it is not by argon2id. */
export function argon2CostOf({ id, parameters, version }: PhcString): Required<Argon2Cost> | null {
  const { m, t, p } = parameters
  return id === 'argon2id' && version === ARGON2_VERSION && m && t && p ? { m, t, p } : null
}
