import { findByAddress } from '../../account/find-by-address.ts'
import type { AdapterUser } from '../../base/adapter.ts'
import { parseEnteredAddress } from '../../base/email-address.ts'
import { CredentialsSignin } from '../../base/errors.ts'
import type { StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { OutgoingRedirect } from '../../http/response.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import type { Incoming } from '../request/incoming.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { emailRows } from '../sign-in/email-store.ts'
import { startAttempt } from '../sign-in/sign-in-attempt.ts'
import { getHasher } from './hasher.ts'
import { findPassword, passwordAccount, passwordStore } from './password-store.ts'
import { startPasswordAttempt } from './start-password-attempt.ts'

/**
 * `POST signin` of a password provider. An unknown user, or one without a password, is rejected after the same time.
 */
export async function signInWithPassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<OutgoingRedirect> {
  const address = parseEnteredAddress(request.body['email'])
  const { password } = request.body
  if (address === null || typeof password !== 'string' || password === '') {
    throw new CredentialsSignin('There is no address, or no password.')
  }
  const signingIn = await startAttempt(config)
  const attempt = await startPasswordAttempt(config, request, provider, address)
  try {
    const user = await findByAddress(emailRows(config), address)
    const stored = await findPassword(config, user)
    const verification = await attempt.check(password, stored)
    if (verification === 'wrong' || !user || !stored) {
      throw new CredentialsSignin('The address is unknown, or the password is wrong.')
    }
    const account = passwordAccount(provider, user)
    const isEmailProven = user.emailVerified instanceof Date
    const authorization = await authorizeSignIn(config, request, { user, account, isEmailProven })
    if (authorization.redirect) return authorization.redirect
    if (verification === 'outdated') await hashAnew(config, provider, stored, password)
    const approved = authorization.approve({
      user,
      account,
      attempt: signingIn,
      isNewUser: false,
      isEmailProven,
      stillHolds: () => isStillIts(config, provider, user, stored, password),
    })
    return await completeSignIn(config, request, approved)
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}

/** Hashes a password as it is done now. One that was changed meanwhile is left alone. */
async function hashAnew(
  config: ResolvedConfig,
  provider: PasswordConfig,
  stored: StoredPassword,
  password: string,
): Promise<void> {
  const hash = await getHasher(provider).hash(password)
  await passwordStore(config).set({ ...stored, hash }, stored.hash)
}

/** Whether the password is still the user's: it may have been reset, or another user has proved the address. */
async function isStillIts(
  config: ResolvedConfig,
  provider: PasswordConfig,
  user: AdapterUser,
  stored: StoredPassword,
  password: string,
): Promise<boolean> {
  const now = await findPassword(config, user)
  if (now === null || now.hash === stored.hash) return now !== null
  // Hashed again, by this sign-in or by another.
  return (await getHasher(provider).verify(password, now.hash)) !== 'wrong'
}
