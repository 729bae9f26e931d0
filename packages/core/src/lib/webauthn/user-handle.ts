import { equalInConstantTime, fromBase64Url } from '#crypto'
import { toBase64Url } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import { PURPOSES } from '../crypto/purposes.ts'

/** Makes and reads what a device keeps as the id of a user, and tells with each answer. */
export interface UserHandles {
  /** For a stored user. It reveals nothing to anyone else. */
  of(userId: string): Promise<Uint8Array<ArrayBuffer>>
  /** Whether a handle is one of ours, of another user. */
  isOfAnother(handle: string, userId: string): Promise<boolean>
}

const HALF = 16

/**
 * The first half is derived from the user, the second from the first: so a handle of ours can be distinguished from
 * others. There are others: a user who signs up does not have an id yet, and Auth.js used random handles, neither of
 * which is stored anywhere.
 */
export function createUserHandles(
  primitives: Pick<CryptoPrimitives, 'deriveBits'>,
  secrets: readonly string[],
): UserHandles {
  async function derive(secret: string, info: string): Promise<Uint8Array<ArrayBuffer>> {
    return primitives.deriveBits(secret, PURPOSES.userHandle, info, HALF)
  }

  async function make(secret: string, userId: string): Promise<Uint8Array<ArrayBuffer>> {
    return withSeal(secret, await derive(secret, `user ${userId}`))
  }

  async function withSeal(secret: string, first: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    return Uint8Array.from([...first, ...(await derive(secret, `seal ${toBase64Url(first)}`))])
  }

  return {
    of: userId => make(secrets[0] ?? '', userId),
    async isOfAnother(handle, userId) {
      const bytes = fromBase64Url(handle)
      if (bytes?.length !== 2 * HALF) return false
      for (const secret of secrets) {
        const own = await withSeal(secret, bytes.subarray(0, HALF))
        if (!equalInConstantTime(toBase64Url(own), handle)) continue
        return !equalInConstantTime(toBase64Url(await make(secret, userId)), handle)
      }
      return false
    },
  }
}
