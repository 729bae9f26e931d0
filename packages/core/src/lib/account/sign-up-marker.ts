import { toHex } from '../crypto/hex.ts'
import type { CryptoPrimitives } from '../crypto/primitives.ts'
import type { Account, Adapter, AdapterUser, User } from '../model.ts'

/** The methods by which a store keeps markers. One without them keeps none. */
export type MarkerRows = Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'>

/** Somebody who signs up: the account, and what is stored of the person. */
export interface BegunSignUp {
  readonly account: Pick<Account, 'provider' | 'providerAccountId'>
  readonly user: Pick<User, 'email' | 'name' | 'image'>
}

/**
 * Where a store cannot create user and account at once, a marker says that a sign-up has begun, so
 * that it can be resumed if it is interrupted between the two. See docs/decisions/015.
 */
export interface SignUpMarkers {
  place(rows: MarkerRows, signUp: BegunSignUp): Promise<void>
  /** Takes the marker away. Whether it was there, and not too old. */
  take(rows: MarkerRows, signUp: BegunSignUp): Promise<boolean>
}

/** As long as a person may take to try once more. */
const LIFETIME_MS = 24 * 3_600_000

/**
 * Markers are kept as one-time tokens, which every store has a place for. Their key is derived from
 * a secret in another way than that of links in emails: no link can use one up.
 */
export function createSignUpMarkers(
  primitives: Pick<CryptoPrimitives, 'deriveBits' | 'digest'>,
  secrets: readonly string[],
  now: () => number,
): SignUpMarkers {
  async function keyOf(secret: string, { account, user }: BegunSignUp) {
    const { provider, providerAccountId } = account
    const { email, name = null, image = null } = user
    const content = JSON.stringify([provider, providerAccountId, email, name, image])
    // A picture may be all of its bytes, and the derivation takes no more than a kilobyte.
    const digest = toHex(await primitives.digest('SHA-256', content))
    const bits = await primitives.deriveBits(secret, 'siteauth sign-up', digest, 48)
    return { identifier: `sign-up:${toHex(bits.slice(0, 16))}`, token: toHex(bits.slice(16)) }
  }

  return {
    async place(rows, signUp) {
      const key = await keyOf(secrets[0] ?? '', signUp)
      const expires = new Date(now() + LIFETIME_MS)
      // There may be one from an earlier attempt, or no table for it: people sign up all the same.
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

/**
 * Whether a user can be the one whom an interrupted sign-up has left. A marker does not say that it
 * came so far: somebody else may have taken the address since. So the row has to be as the sign-up
 * would have made it, with a picture that is the account's own or an address that the provider
 * vouches for; and nobody may have shown by email that the address is theirs.
 */
export function looksLeftBy(
  user: AdapterUser,
  { user: profile }: BegunSignUp,
  isVouchedFor: boolean,
): boolean {
  const isSame = (['email', 'name', 'image'] as const).every(
    member => (user[member] ?? null) === (profile[member] ?? null),
  )
  return isSame && !user.emailVerified && (Boolean(user.image) || isVouchedFor)
}

async function orNull<T>(ask: () => T | PromiseLike<T>): Promise<T | null> {
  try {
    return await ask()
  } catch {
    return null
  }
}
