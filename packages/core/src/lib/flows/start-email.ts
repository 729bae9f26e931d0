import { findByAddress } from '../account/find-by-address.ts'
import { parseTypedAddress, readAddress } from '../base/email-address.ts'
import { EmailSignInError } from '../base/errors.ts'
import type { Account, AdapterUser } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import { uuidFrom } from '../crypto/random.ts'
import { setCookie } from '../http/cookies.ts'
import { type RedirectAnswer, redirect } from '../http/outgoing.ts'
import type { EmailConfig } from '../providers/email.ts'
import { signInMessage } from '../providers/email-message.ts'
import { browserMark } from '../steps/browser-mark.ts'
import { chooseReturn, rememberReturn } from '../steps/choose-redirect.ts'
import { askApplication } from '../steps/complete-sign-in.ts'
import { emailRows, emailTokensFor } from '../steps/email-parts.ts'
import type { Incoming } from '../steps/incoming.ts'
import { repeatRequest } from '../steps/incoming.ts'
import { languageFor } from '../steps/page-setting.ts'
import { endpointUrl } from '../steps/page-url.ts'
import { saysRemember } from '../steps/session-terms.ts'

/** One day: people read their mail when they do. */
const DEFAULT_MAX_AGE = 86_400

/** `POST signin` with an email provider: sends a link, whether or not the address is known. */
export async function startEmail(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<RedirectAnswer> {
  const { origin } = request
  const identifier = addressOf(provider, request.body['email'])
  const rows = emailRows(config)
  const known = await findByAddress(rows, identifier)
  const user = known ?? standIn(config, identifier)
  const account = emailAccount(provider, user)
  const elsewhere = await askApplication(config, request, {
    user,
    account,
    email: { verificationRequest: true },
    isEmailProven: false,
  })
  if (elsewhere) return elsewhere

  const { maxAge = DEFAULT_MAX_AGE } = provider
  const expires = new Date(config.ports.now() + maxAge * 1000)
  const token = (await provider.generateVerificationToken?.()) ?? config.ports.randomHex(32)
  const callbackUrl = await chooseReturn(config, request)
  const link = new URL(endpointUrl(config, origin, `callback/${encodeURIComponent(provider.id)}`))
  link.search = new URLSearchParams({ callbackUrl, token, email: identifier }).toString()

  // Stored first: a link that arrives must work.
  const hashed = await emailTokensFor(config, provider).hash(token)
  await rows.createVerificationToken({ identifier, token: hashed, expires })
  await send(provider, {
    identifier,
    token,
    expires,
    url: link.href,
    theme: config.theme,
    request: repeatRequest(request),
    message: signInMessage({
      url: link.href,
      theme: config.theme,
      language: await languageFor(config, request),
    }),
  })
  const { emailRequest } = request.cookieOptions
  const { mark, cookies: marking } = await browserMark(config, request)
  const asked = await config.sealerFor(emailRequest.name).seal(
    {
      identifier,
      provider: provider.id,
      browser: mark ?? null,
      remember: saysRemember(request.body),
    },
    maxAge,
    config.ports.now(),
  )
  const query = new URLSearchParams({ provider: provider.id, type: 'email' })
  return redirect(`${endpointUrl(config, origin, 'verify-request')}?${query}`, [
    ...marking,
    setCookie(emailRequest, asked, { maxAge, expires }),
    ...rememberReturn(config, request, callbackUrl),
  ])
}

/** Stands for someone who is not a user yet. */
export function standIn({ ports }: ResolvedConfig, email: string): AdapterUser {
  return { id: uuidFrom(ports.randomHex(16)), email, emailVerified: null }
}

/** The account that an address is. */
export function emailAccount({ id }: EmailConfig, user: AdapterUser): Account {
  return { providerAccountId: user.email, userId: user.id, type: 'email', provider: id }
}

function addressOf(provider: EmailConfig, typed: unknown): string {
  const { normalizeIdentifier } = provider
  if (!normalizeIdentifier) {
    const address = parseTypedAddress(typed)
    if (address === null)
      throw new EmailSignInError('What was entered is not a single email address.')
    return address
  }
  let identifier: unknown
  try {
    identifier = normalizeIdentifier.call(provider, typeof typed === 'string' ? typed : '')
  } catch (error) {
    throw new EmailSignInError('normalizeIdentifier refused the address.', { cause: error })
  }
  if (typeof identifier === 'string' && isOneRecipient(identifier)) return identifier
  throw new EmailSignInError('What normalizeIdentifier returned is not a single email address.')
}

/** Applications may write addresses in capitals, or send to phone numbers; but to one at a time. */
function isOneRecipient(identifier: string): boolean {
  if (identifier.includes('@')) return readAddress(identifier) !== null
  return identifier !== '' && !/\p{C}|=\?/u.test(identifier)
}

async function send(
  provider: EmailConfig,
  params: Omit<Parameters<EmailConfig['sendVerificationRequest']>[0], 'provider'>,
): Promise<void> {
  try {
    await provider.sendVerificationRequest({ ...params, provider })
  } catch (error) {
    const failure = new EmailSignInError(`"${provider.id}" could not send the message.`, {
      cause: error,
    })
    failure.isServerFault = !isRefusedRecipient(error)
    throw failure
  }
}

/** By Nodemailer's name for it: the mail server does not take messages to that address. */
function isRefusedRecipient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EENVELOPE'
}
