import type { AdapterUser } from '../../base/adapter.ts'
import type { PasswordStore, StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import type { SignInAttempt } from '../sign-in/sign-in-attempt.ts'
import { getHasher } from './hasher.ts'
import { passwordStore } from './password-store.ts'

/** The hash of a new password, and the password that it is stored in place of. Null if any may be replaced. */
interface Replacement {
  readonly hash: string
  readonly replaces: StoredPassword | null
}

/**
 * Stores a password, and ends all sessions of its user. Returns false if another password was stored meanwhile. Throws if the
 * attempt was revoked: then the user has the password that there was.
 *
 * The old password is replaced by a hash that nothing matches before sessions are ended, and the new one is stored last: whoever knows the old
 * one cannot sign in in between, and the new one works only once their sessions have ended, wherever this is interrupted.
 */
export async function replacePassword(
  config: ResolvedConfig,
  provider: PasswordConfig,
  attempt: SignInAttempt,
  user: AdapterUser,
  { hash, replaces }: Replacement,
): Promise<boolean> {
  const store = passwordStore(config)
  const changedAt = new Date(config.ports.now())
  const closed = { userId: user.id, hash: getHasher(provider).unmatchable(), changedAt }
  // Hashing has taken a moment.
  await attempt.requireUnrevoked(user.id)
  if (!(await store.set(closed, replaces?.hash))) return false
  try {
    // Sessions are ended only if no one else has revoked them meanwhile.
    await (attempt.endSessions ?? attempt.requireUnrevoked)(user.id)
  } catch (error) {
    await reopen(store, closed, replaces)
    throw error
  }
  const chosen = { userId: user.id, hash, changedAt }
  if (!(await store.set(chosen, closed.hash))) return false
  try {
    // A revocation by others may have come after the sessions had ended here.
    await attempt.requireUnrevoked(user.id)
  } catch (error) {
    await reopen(store, chosen, replaces)
    throw error
  }
  return true
}

/** Puts the earlier password back. If that fails as well, the owner chooses another one by a link. */
async function reopen(
  store: PasswordStore,
  { userId, hash }: StoredPassword,
  replaces: StoredPassword | null,
): Promise<void> {
  try {
    if (replaces) await store.set(replaces, hash)
    else await store.remove(userId, hash)
  } catch {
    // The first error is the one to report.
  }
}
