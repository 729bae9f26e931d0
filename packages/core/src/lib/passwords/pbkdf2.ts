import { nodeCrypto } from './node-crypto.ts'

/** The digests that other systems use. */
export type PbkdfDigest = 'sha1' | 'sha256' | 'sha512'

/** No system we know of asks for more; one that did would keep a thread busy for seconds. */
const MAX_ROUNDS = 10_000_000
/** Of a key that is cut off, by a column that was too short for it, any password could be right. */
const MIN_BYTES = 16
const MAX_BYTES = 64

/** Derives a key by PBKDF2, away from the thread that answers requests. */
export function pbkdf2(
  password: string,
  options: {
    readonly salt: Uint8Array | string
    readonly rounds: number
    readonly digest: PbkdfDigest
  },
  length: number,
): Promise<Uint8Array> {
  const { salt, rounds, digest } = options
  if (!(rounds >= 1 && rounds <= MAX_ROUNDS)) {
    throw new RangeError('A hash by PBKDF2 has an impossible number of rounds.')
  }
  if (!(length >= MIN_BYTES && length <= MAX_BYTES)) {
    throw new RangeError('A hash by PBKDF2 is cut off, or too long.')
  }
  return new Promise((resolve, reject) => {
    nodeCrypto().pbkdf2(password, salt, rounds, length, digest, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
