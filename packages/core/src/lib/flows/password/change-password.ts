import { AccessDenied } from '../../base/errors.ts'
import type { AdapterUser, StoredPassword } from '../../base/model.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type RedirectAnswer, redirect } from '../../http/response.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { hasOtherWayIn } from '../provider/sign-in-methods.ts'
import { currentUser } from '../request/current-user.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn } from '../request/return-url.ts'
import { continueWithoutApproval } from '../sign-in/authorize-sign-in.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { tellOwner } from './password-mail.ts'
import { findPassword, hasherOf, passwordAccount, passwordStore } from './password-store.ts'
import { startPasswordAttempt } from './start-password-attempt.ts'
import { refusePassword, requirePassword } from './validate-password.ts'

/** `POST password`: replaces the password of whoever is signed in, and signs them out everywhere else. */
export async function changePassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<RedirectAnswer> {
  const { user, stored } = await requireOwner(config, request, provider)
  const password = await requirePassword(config, provider, user.email, request.body['password'])
  await requireNotice(config, request, provider, user)
  try {
    const hash = await hasherOf(provider).hash(password)
    const changedAt = new Date(config.ports.now())
    const changed = { userId: user.id, hash, changedAt }
    // Not in place of one that was reset meanwhile, nor where the address was proved by another.
    if (!(await passwordStore(config).set(changed, stored.hash))) throw refusePassword('wrong')
    await config.endUser?.(user.id)
    await tellOwner(config, request, provider, { to: user.email, reason: 'changed' })
    const continued = continueWithoutApproval({
      user,
      account: passwordAccount(provider, user),
      isNewUser: false,
      isEmailProven: user.emailVerified instanceof Date,
      stillHolds: async () => (await findPassword(config, user))?.hash === hash,
    })
    return await completeSignIn(config, request, continued)
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}

/** `POST password/remove`: whoever is signed in goes without a password from now on. */
export async function removePassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<RedirectAnswer> {
  const { user, stored } = await requireOwner(config, request, provider)
  if (!(await hasOtherWayIn(config, user))) throw refusePassword('last')
  await requireNotice(config, request, provider, user)
  // At first for one that nobody knows: a password that was reset meanwhile is its owner's, and stays.
  const hash = await hasherOf(provider).hash(config.ports.randomHex(32))
  const unknown = { userId: user.id, hash, changedAt: new Date(config.ports.now()) }
  if (!(await passwordStore(config).set(unknown, stored.hash))) throw refusePassword('wrong')
  await passwordStore(config).remove(user.id)
  await tellOwner(config, request, provider, { to: user.email, reason: 'removed' })
  return redirect(await chooseReturn(config, request))
}

/** The owner is told of it by a message: nobody is to get more of these than of others. */
async function requireNotice(
  config: ResolvedConfig,
  request: Incoming,
  { id: provider }: PasswordConfig,
  { email }: AdapterUser,
): Promise<void> {
  await requireAttempt(config, request, { kind: 'email', provider, accounts: [email] })
}

/** Whoever is signed in, and has typed the current password: a browser left open is not enough. */
async function requireOwner(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<{ readonly user: AdapterUser; readonly stored: StoredPassword }> {
  const user = await currentUser(config, request)
  if (!user) throw new AccessDenied('Nobody is signed in.')
  const { current } = request.body
  const attempt = await startPasswordAttempt(config, request, provider, user.email)
  const stored = await findPassword(config, user)
  const entered = typeof current === 'string' ? current : ''
  const verdict = await attempt.check(entered, stored)
  if (verdict === 'wrong' || !stored) throw refusePassword('wrong')
  return { user, stored }
}
