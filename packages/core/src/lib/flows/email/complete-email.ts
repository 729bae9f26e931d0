import { applyEmail } from '../../account/apply-email.ts'
import { findByAddress } from '../../account/find-by-address.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { OutgoingRedirect } from '../../http/response.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { emailRequestCookie } from '../cookies/email-request.ts'
import type { Incoming } from '../request/incoming.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { emailAccount, emailRows, standIn } from '../sign-in/email-store.ts'
import { decideSessionLimits, saysRemember } from '../sign-in/session-limits.ts'
import type { SignInAttempt } from '../sign-in/sign-in-attempt.ts'

/** A proof that an address is the visitor's. */
export interface ProvenAddress {
  readonly identifier: string
  readonly attempt: SignInAttempt
}

/** Signs in the user who has proved an address. */
export async function completeEmail(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
  { identifier, attempt }: ProvenAddress,
  returnTo?: string,
): Promise<OutgoingRedirect> {
  const rows = emailRows(config, attempt)
  const userByEmail = await findByAddress(rows, identifier)
  const user = userByEmail ?? standIn(config, identifier)
  const account = emailAccount(provider, user)
  const isEmailProven = true
  const authorization = await authorizeSignIn(config, request, { user, account, isEmailProven })
  if (authorization.redirect) return authorization.redirect
  const linked = await applyEmail(rows, config.events, {
    email: identifier,
    userByEmail,
    now: config.ports.now,
    randomHex: config.ports.randomHex,
  })
  const pending = await emailRequestCookie.read(config, request)
  const earlier = pending?.identifier === identifier ? pending.remember : undefined
  const remember = saysRemember(request.body) ?? earlier
  const approved = authorization.approve({
    ...linked,
    attempt,
    limits: await decideSessionLimits(config, request, remember),
    account: { ...account, userId: linked.user.id },
    isEmailProven,
    // The address is the proof, and only its owner has it.
    stillHolds: 'cannot change',
  })
  const response = await completeSignIn(config, request, approved, returnTo)
  return { ...response, cookies: [...response.cookies, ...emailRequestCookie.clear(request)] }
}
