import { toBase64Url } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import { PURPOSES } from '../crypto/purposes.ts'

/** 128 bits, which cannot be guessed. */
const HANDLE_BYTES = 16

/**
 * The name of a session for its user: always the same one, and useless for signing in.
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
