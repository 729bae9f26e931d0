import type { AdapterUser } from '../../base/adapter.ts'
import { AccessDenied } from '../../base/errors.ts'
import type { StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { requireLinkingUser } from '../cookies/reauthentication.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import type { Incoming } from '../request/incoming.ts'
import { findPassword } from './password-store.ts'
import { startPasswordAttempt } from './start-password-attempt.ts'
import { passwordError } from './validate-password.ts'

/** The user who is signed in and has typed the current password: a browser left open is not enough. */
export async function requireOwner(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<{ readonly user: AdapterUser; readonly stored: StoredPassword }> {
  const user = await requireLinkingUser(config, request)
  if (!user) throw new AccessDenied('Nobody is signed in.')
  const { currentPassword } = request.body
  const attempt = await startPasswordAttempt(config, request, provider, user.email)
  const stored = await findPassword(config, user)
  const entered = typeof currentPassword === 'string' ? currentPassword : ''
  const verification = await attempt.check(entered, stored)
  if (verification === 'wrong' || !stored) throw passwordError('wrong_password')
  return { user, stored }
}

/** Counts the message that notifies the owner of the change: no one receives more of these than of others. */
export async function requireNotice(
  config: ResolvedConfig,
  request: Incoming,
  { id: provider }: PasswordConfig,
  { email }: AdapterUser,
): Promise<void> {
  await requireAttempt(config, request, { kind: 'email', provider, accounts: [email] })
}
