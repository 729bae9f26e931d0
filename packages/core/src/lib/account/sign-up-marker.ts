import type { Adapter } from '../base/adapter.ts'
import type { Account } from '../base/user.ts'
import { toHex } from '../crypto/encoding.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import { PURPOSES } from '../crypto/purposes.ts'

/** The methods by which a store keeps markers. One without them keeps none. */
export type MarkerMethods = Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'>

/** A sign-up that has come as far as the user: which account it is of, and which row it made. */
interface BegunSignUp {
  readonly account: Pick<Account, 'provider' | 'providerAccountId'>
  readonly userId: string
}

/**
 * If a store cannot create user and account at once, a marker names the row that a sign-up has made, so that it can
 * be resumed if it is interrupted before the account is linked. See docs/decisions/015.
 */
export interface SignUpMarkers {
  place(rows: MarkerMethods, signUp: BegunSignUp): Promise<void>
  /** Takes the marker away. Whether it was there, and not too old. */
  take(rows: MarkerMethods, signUp: BegunSignUp): Promise<boolean>
}

/** As long as a person may take to try again. */
const LIFETIME_MS = 24 * 3_600_000

/**
 * Markers are kept as one-time tokens, which every store has a place for. Their key is derived from
 * a secret in another way than that of links in emails: no link can consume one.
 */
export function createSignUpMarkers(
  primitives: Pick<CryptoPrimitives, 'deriveBits' | 'digest'>,
  secrets: readonly string[],
  now: () => number,
): SignUpMarkers {
  // Nothing of it can be chosen by a stranger: no address, name or picture.
  async function keyOf(secret: string, { account, userId }: BegunSignUp) {
    const { provider, providerAccountId } = account
    const content = JSON.stringify([provider, providerAccountId, String(userId)])
    // The derivation takes no more than a kilobyte, and ids may be longer.
    const digest = toHex(await primitives.digest('SHA-256', content))
    const bits = await primitives.deriveBits(secret, PURPOSES.signUpMarker, digest, 48)
    return { identifier: `sign-up:${toHex(bits.slice(0, 16))}`, token: toHex(bits.slice(16)) }
  }

  return {
    async place(rows, signUp) {
      const key = await keyOf(secrets[0] ?? '', signUp)
      const expires = new Date(now() + LIFETIME_MS)
      // There may be no table for it: people sign up all the same.
      await orNull(() => rows.createVerificationToken?.({ ...key, expires }))
    },
    async take(rows, signUp) {
      for (const secret of secrets) {
        const key = await keyOf(secret, signUp)
        const marker = await orNull(() => rows.useVerificationToken?.(key))
        if (marker) return marker.identifier === key.identifier && marker.expires.getTime() > now()
      }
      return false
    },
  }
}

async function orNull<T>(ask: () => T | PromiseLike<T>): Promise<T | null> {
  try {
    return await ask()
  } catch {
    return null
  }
}
