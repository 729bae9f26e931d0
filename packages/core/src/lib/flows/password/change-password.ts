import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { OutgoingRedirect } from '../../http/response.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import type { Incoming } from '../request/incoming.ts'
import { continueWithoutApproval } from '../sign-in/authorize-sign-in.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { startAttempt, whileSignedIn } from '../sign-in/sign-in-attempt.ts'
import { getHasher } from './hasher.ts'
import { tellOwner } from './password-mail.ts'
import { findPassword, passwordAccount } from './password-store.ts'
import { replacePassword } from './replace-password.ts'
import { requireNotice, requireOwner } from './require-owner.ts'
import { passwordError, requirePassword } from './validate-password.ts'

/** `POST password`: replaces the password of the user who is signed in, and ends their other sessions. */
export async function changePassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<OutgoingRedirect> {
  const begun = await startAttempt(config)
  const { user, stored } = await requireOwner(config, request, provider)
  const attempt = whileSignedIn(begun, config, request, user)
  const password = await requirePassword(config, provider, user.email, request.body['newPassword'])
  await requireNotice(config, request, provider, user)
  try {
    const hash = await getHasher(provider).hash(password)
    // Not in place of one that was reset meanwhile, nor if someone else has proved the address.
    const replacement = { hash, replaces: stored }
    const isReplaced = await replacePassword(config, provider, attempt, user, replacement)
    if (!isReplaced) throw passwordError('wrong_password')
    await tellOwner(config, request, provider, { to: user.email, reason: 'changed' })
    const continued = continueWithoutApproval({
      user,
      account: passwordAccount(provider, user),
      attempt,
      isNewUser: false,
      isEmailProven: user.emailVerified instanceof Date,
      stillHolds: async () => (await findPassword(config, user))?.hash === hash,
    })
    return await completeSignIn(config, request, continued)
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}
