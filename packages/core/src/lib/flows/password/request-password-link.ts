import { findByAddress } from '../../account/find-by-address.ts'
import type { AdapterUser } from '../../base/adapter.ts'
import { parseEnteredAddress } from '../../base/email-address.ts'
import { EmailSignInError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import { passwordLinkMaxAge } from '../../passwords/password-defaults.ts'
import type { PasswordMailReason } from '../../providers/messages/password-message.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { writeEmailRequest } from '../cookies/email-request.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn, rememberReturn } from '../request/return-url.ts'
import { emailRows } from '../sign-in/email-store.ts'
import { saysRemember } from '../sign-in/session-limits.ts'
import { readIssueTimeFor } from '../sign-in/sign-in-attempt.ts'
import { linkTokensOf, passwordLinkRow } from './password-link.ts'
import { sendPasswordMail } from './password-mail.ts'
import { findPassword } from './password-store.ts'

/** The reason to choose a password. */
export type PasswordPurpose = 'sign-up' | 'reset'

/**
 * `POST password/sign-up` and `POST password/forgot`: sends a link to choose a password. Every address gets one
 * message and one response. Only the message reveals whether there is an account, and so only its owner learns it.
 */
export async function sendPasswordLink(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  purpose: PasswordPurpose,
): Promise<OutgoingRedirect> {
  const address = parseEnteredAddress(request.body['email'])
  if (address === null) {
    throw new EmailSignInError('What was entered is not a single email address.')
  }
  await requireAttempt(config, request, {
    kind: 'email',
    provider: provider.id,
    accounts: [address],
  })
  const rows = emailRows(config)
  const user = await findByAddress(rows, address)
  const stored = await findPassword(config, user)
  const maxAge = passwordLinkMaxAge(provider)
  const expires = new Date(config.ports.now() + maxAge * 1000)
  const token = await linkTokensOf(config, provider).issue(
    config.ports.randomHex(32),
    address,
    await readIssueTimeFor(config, user?.id),
  )
  const callbackUrl = await chooseReturn(config, request)
  const path = `callback/${encodeURIComponent(provider.id)}`
  const link = new URL(endpointUrl(config, request.origin, path))
  link.search = new URLSearchParams({ callbackUrl, token, email: address }).toString()

  // Stored first: what arrives must work.
  const row = await passwordLinkRow(config, { address, token, stored })
  await rows.createVerificationToken({ ...row, expires })
  const canChoose = user !== null || provider.signUp !== false
  await sendPasswordMail(config, request, provider, {
    to: address,
    reason: reasonOf(purpose, user),
    ...(canChoose && { link: { url: link.href, token, expires } }),
  })
  const requested = {
    identifier: address,
    provider: provider.id,
    code: null,
    returnTo: callbackUrl,
    remember: saysRemember(request.body),
  }
  const query = new URLSearchParams({ provider: provider.id, type: 'password' })
  return redirect(`${endpointUrl(config, request.origin, 'verify-request')}?${query}`, [
    ...(await writeEmailRequest(config, request, requested, maxAge)),
    ...rememberReturn(config, request, callbackUrl),
  ])
}

function reasonOf(purpose: PasswordPurpose, user: AdapterUser | null): PasswordMailReason {
  if (purpose === 'sign-up') return user ? 'existing-user' : 'sign-up'
  return user ? 'reset' : 'no-user'
}
