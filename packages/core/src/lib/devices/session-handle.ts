import { toBase64Url } from '../crypto/encoding.ts'
import { PURPOSES } from '../crypto/keys.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'

/** 128 bits, which nobody guesses. */
const HANDLE_BYTES = 16

/**
 * The name of a session for those who may know that it is there: always the same one, of which nobody can
 * make anything that signs in.
 *
 * @param id what the store knows it by
 */
export async function sessionHandle(
  primitives: Pick<CryptoPrimitives, 'deriveBits' | 'digest'>,
  secret: string,
  id: string,
): Promise<string> {
  const hash = toBase64Url(await primitives.digest('SHA-256', id))
  return toBase64Url(
    await primitives.deriveBits(secret, PURPOSES.sessionHandle, hash, HANDLE_BYTES),
  )
}
