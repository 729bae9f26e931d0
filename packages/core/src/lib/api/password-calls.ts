import { UnknownAction } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { PasswordPurpose } from '../flows/password/request-password-link.ts'
import { passwordProvider } from '../flows/provider/find-password-provider.ts'
import type { Incoming } from '../flows/request/incoming.ts'
import type { Fields } from '../http/request.ts'
import type { OutgoingRedirect } from '../http/response.ts'
import type { PasswordConfig } from '../providers/password.ts'
import { atEndpoint, requestedReturn, run } from './calls.ts'
import type { RedirectOptions } from './sign-in-options.ts'

/** A visitor requests a link to choose a password. */
export interface PasswordLinkOptions extends RedirectOptions {
  /** `sign-up` for a new user, `reset` for one who has an account. All that differs is the message. */
  readonly purpose: PasswordPurpose
  readonly email: unknown
}

/** A user chooses a password behind a link. */
export interface ChoosePasswordOptions extends RedirectOptions {
  /** From the query of the link. */
  readonly email: unknown
  /** From the query of the link. */
  readonly token: unknown
  readonly password: unknown
}

/** A user who is signed in changes the password. */
export interface ChangePasswordOptions extends RedirectOptions {
  readonly currentPassword: unknown
  readonly newPassword: unknown
}

/** A user who is signed in removes the password. */
export interface RemovePasswordOptions extends RedirectOptions {
  readonly currentPassword: unknown
}

/** Sends a link to choose a password. Returns the URL of the page that confirms it. */
export function sendPasswordLink(
  config: ResolvedConfig,
  incoming: Incoming,
  { purpose: requested, ...fields }: PasswordLinkOptions,
): Promise<OutgoingRedirect> {
  // A form may say anything.
  const purpose = requested === 'sign-up' ? requested : 'reset'
  const path = purpose === 'sign-up' ? 'password/sign-up' : 'password/forgot'
  return call(config, incoming, path, fields, async (request, provider) => {
    const flows = await import('../flows/password/request-password-link.ts')
    return flows.sendPasswordLink(config, request, provider, purpose)
  })
}

/** Stores the password that a user has chosen behind a link, and signs the user in. */
export function choosePassword(
  config: ResolvedConfig,
  incoming: Incoming,
  chosen: ChoosePasswordOptions,
): Promise<OutgoingRedirect> {
  return call(config, incoming, 'callback', { ...chosen }, async (request, provider) => {
    const flows = await import('../flows/password/choose-password.ts')
    return flows.choosePassword(config, request, provider)
  })
}

/** Replaces the password of the user who is signed in. */
export function changePassword(
  config: ResolvedConfig,
  incoming: Incoming,
  changed: ChangePasswordOptions,
): Promise<OutgoingRedirect> {
  return call(config, incoming, 'password', { ...changed }, async (request, provider) => {
    const flows = await import('../flows/password/change-password.ts')
    return flows.changePassword(config, request, provider)
  })
}

/** Removes the password of the user who is signed in. */
export function removePassword(
  config: ResolvedConfig,
  incoming: Incoming,
  removed: RemovePasswordOptions,
): Promise<OutgoingRedirect> {
  return call(config, incoming, 'password/remove', { ...removed }, async (request, provider) => {
    const flows = await import('../flows/password/remove-password.ts')
    return flows.removePassword(config, request, provider)
  })
}

function call(
  config: ResolvedConfig,
  incoming: Incoming,
  path: string,
  { redirectTo, ...fields }: Fields & RedirectOptions,
  flow: (request: Incoming, provider: PasswordConfig) => Promise<OutgoingRedirect>,
): Promise<OutgoingRedirect> {
  const callbackUrl = requestedReturn(config, incoming, { redirectTo })
  const request = atEndpoint(config, incoming, path, { body: { ...fields, callbackUrl } })
  return run(config, incoming, () => {
    const provider = passwordProvider(config)
    if (provider) return flow(request, provider)
    throw new UnknownAction('There is no provider for passwords. List Password(…) in `providers`.')
  })
}
