import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { hasOtherSignInMethod } from '../provider/sign-in-methods.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import { startAttempt, whileSignedIn } from '../sign-in/sign-in-attempt.ts'
import { getHasher } from './hasher.ts'
import { tellOwner } from './password-mail.ts'
import { passwordStore } from './password-store.ts'
import { requireNotice, requireOwner } from './require-owner.ts'
import { passwordError } from './validate-password.ts'

/** `POST password/remove`: removes the password of the user who is signed in. */
export async function removePassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<OutgoingRedirect> {
  const begun = await startAttempt(config)
  const { user, stored } = await requireOwner(config, request, provider)
  const attempt = whileSignedIn(begun, config, request, user)
  if (!(await hasOtherSignInMethod(config, user))) throw passwordError('only_sign_in_method')
  await requireNotice(config, request, provider, user)
  // First for an unknown one: a password that was reset meanwhile is its owner's, and stays.
  const hash = getHasher(provider).unmatchable()
  const unknown = { userId: user.id, hash, changedAt: new Date(config.ports.now()) }
  const store = passwordStore(config)
  // Checking the password has taken a moment.
  await attempt.requireUnrevoked(user.id)
  if (!(await store.set(unknown, stored.hash))) throw passwordError('wrong_password')
  try {
    await attempt.requireUnrevoked(user.id)
  } catch (error) {
    await store.set(stored, hash)
    throw error
  }
  await store.remove(user.id, hash)
  await tellOwner(config, request, provider, { to: user.email, reason: 'removed' })
  return redirect(await chooseReturn(config, request))
}
