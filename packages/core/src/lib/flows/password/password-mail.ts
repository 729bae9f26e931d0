import { EmailSignInError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { PasswordMailReason } from '../../providers/messages/password-message.ts'
import { passwordMessage } from '../../providers/messages/password-message.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { repeatRequest } from '../request/incoming.ts'
import { languageFor } from '../request/page-context.ts'

/** A message about a password, and its recipient. */
export interface Notice {
  readonly to: string
  readonly reason: PasswordMailReason
  /** The link to choose a password by, where there is one. */
  readonly link?: { readonly url: string; readonly token: string; readonly expires: Date }
}

/** Sends a message. Throws an `EmailSignInError` if that fails. */
export async function sendPasswordMail(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  { to, reason, link }: Notice,
): Promise<void> {
  const { theme } = config
  const page = link?.url ?? endpointUrl(config, request.origin, 'password/forgot')
  const message = passwordMessage({
    reason,
    url: page,
    hasLink: link !== undefined || reason === 'changed' || reason === 'removed',
    theme,
    language: await languageFor(config, request),
  })
  // Without the input: passwords must not be stored or logged.
  const repeated = repeatRequest({ ...request, body: {} })
  const { mail } = provider
  try {
    if (typeof mail === 'function') {
      await mail({ to, reason, url: link?.url, message, request: repeated })
      return
    }
    await mail.sendVerificationRequest({
      identifier: to,
      url: page,
      token: link?.token ?? '',
      expires: link?.expires ?? new Date(config.ports.now()),
      provider: mail,
      theme,
      request: repeated,
      message,
    })
  } catch (error) {
    const failure = new EmailSignInError(`"${provider.id}" could not send the message.`, {
      cause: error,
    })
    failure.isServerError = true
    throw failure
  }
}

/** Tells the owner what has happened. It has happened, whether or not the message can be sent. */
export async function tellOwner(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  notice: Notice,
): Promise<void> {
  try {
    await sendPasswordMail(config, request, provider, notice)
  } catch (error) {
    if (error instanceof Error) config.logger.error(error)
  }
}
