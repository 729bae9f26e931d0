import type { AdapterUser } from '../../base/adapter.ts'
import { InvalidCheck } from '../../base/errors.ts'
import type { StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SignInAttempt } from '../sign-in/sign-in-attempt.ts'
import { passwordStore } from './password-store.ts'

/** The hash of a new password, and the password that it is stored in place of. Null if any may be replaced. */
interface Replacement {
  readonly hash: string
  readonly replaces: StoredPassword | null
}

/**
 * Stores a password, and ends all sessions of its user. Returns false if another password was stored meanwhile. Throws if the
 * attempt was revoked: then the user has the password that there was.
 */
export async function replacePassword(
  config: ResolvedConfig,
  attempt: SignInAttempt,
  user: AdapterUser,
  replacement: Replacement,
): Promise<boolean> {
  const { hash, replaces } = replacement
  const changedAt = new Date(config.ports.now())
  // Hashing has taken a moment.
  await attempt.requireUnrevoked(user.id)
  const isStored = await passwordStore(config).set(
    { userId: user.id, hash, changedAt },
    replaces?.hash,
  )
  if (!isStored) return false
  try {
    // Everyone with the old password is locked out. Sessions are ended only if no one else has revoked them
    // meanwhile.
    await (attempt.endSessions ?? attempt.requireUnrevoked)(user.id)
    return true
  } catch (error) {
    if (error instanceof InvalidCheck) await takeBack(config, user, replacement)
    throw error
  }
}

/** Puts the earlier password back, unless another one was stored meanwhile. */
async function takeBack(
  config: ResolvedConfig,
  { id }: AdapterUser,
  { hash, replaces }: Replacement,
): Promise<void> {
  const store = passwordStore(config)
  if (replaces) await store.set(replaces, hash)
  else await store.remove(id, hash)
}
