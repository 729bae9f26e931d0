import type { ScryptCost } from '../providers/password.ts'
import { nodeCrypto } from './node-crypto.ts'
import type { PhcString } from './phc.ts'

/** The most memory that a hash may need, from any source: 1 GiB. */
const MAX_MEMORY = 2 ** 30
/** The same for time, as N · r · p: sixteen times what we ask for, which is some seconds. */
const MAX_WORK = 2 ** 24

/** Derives a key by scrypt, away from the thread that answers requests. */
export function scrypt(
  password: Uint8Array | string,
  salt: Uint8Array | string,
  { ln, r, p }: Required<ScryptCost>,
  length: number,
): Promise<Uint8Array> {
  const N = 2 ** ln
  const memory = 128 * r * (N + p)
  if (!(memory <= MAX_MEMORY)) throw new RangeError('A hash by scrypt asks for over 1 GiB.')
  if (!(N * r * p <= MAX_WORK)) {
    throw new RangeError('A hash by scrypt asks for more than some seconds.')
  }
  return new Promise((resolve, reject) => {
    const settings = { N, r, p, maxmem: memory + 2 ** 20 }
    nodeCrypto().scrypt(password, salt, length, settings, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** The cost that a stored hash was made with; null if it is not one of ours. */
export function scryptCostOf({ id, parameters }: PhcString): Required<ScryptCost> | null {
  const { ln, r, p } = parameters
  return id === 'scrypt' && ln && r && p ? { ln, r, p } : null
}
