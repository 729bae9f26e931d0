import { findByAddress } from '../../account/find-by-address.ts'
import { EmailSignInError, InvalidConfiguration } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { CODE_ATTEMPTS, CODE_MAX_AGE, writeCode } from '../../email/code.ts'
import { MIN_TOKEN_BITS, maxTokenBits } from '../../email/token-strength.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { signInMessage } from '../../providers/messages/email-message.ts'
import { type RequestedCode, writeEmailRequest } from '../cookies/email-request.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { endpointUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { repeatRequest } from '../request/incoming.ts'
import { languageFor } from '../request/page-context.ts'
import { chooseReturn, rememberReturn } from '../request/return-url.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import {
  emailAccount,
  emailRows,
  hashLink,
  linkMaxAge,
  linkTokensOf,
  standIn,
} from '../sign-in/email-store.ts'
import { saysRemember } from '../sign-in/session-limits.ts'
import { readIssueTimeFor } from '../sign-in/sign-in-attempt.ts'
import { addressOf } from './address.ts'
import { emailCodesFor, storeGuesses } from './email-code.ts'
import { finishCode, hasCode } from './finish-code.ts'

/**
 * `POST signin` with an email provider: sends a link, whether or not the address belongs to a user. The user who
 * enters the code from the message is signed in.
 */
export async function startEmail(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<OutgoingRedirect> {
  if (provider.code && hasCode(request)) return finishCode(config, request, provider)
  const { origin } = request
  const identifier = addressOf(provider, request.body['email'])
  await requireAttempt(config, request, {
    kind: 'email',
    provider: provider.id,
    accounts: [identifier],
  })
  const rows = emailRows(config)
  const existingUser = await findByAddress(rows, identifier)
  const user = existingUser ?? standIn(config, identifier)
  const account = emailAccount(provider, user)
  const authorization = await authorizeSignIn(config, request, {
    user,
    account,
    email: { verificationRequest: true },
    isEmailProven: false,
  })
  if (authorization.redirect) return authorization.redirect

  const maxAge = linkMaxAge(provider)
  const expires = new Date(config.ports.now() + maxAge * 1000)
  const startedAt = await readIssueTimeFor(config, existingUser?.id)
  const token =
    (await ownToken(provider)) ??
    (await linkTokensOf(config, provider).issue(config.ports.randomHex(32), identifier, startedAt))
  const callbackUrl = await chooseReturn(config, request)
  const link = new URL(endpointUrl(config, origin, `callback/${encodeURIComponent(provider.id)}`))
  link.search = new URLSearchParams({ callbackUrl, token, email: identifier }).toString()

  // Stored first: what arrives must work.
  const hashed = await hashLink(config, provider, token)
  await rows.createVerificationToken({ identifier, token: hashed, expires })
  const made = provider.code
    ? await makeCode(config, provider, { identifier, token, hashed, maxAge, startedAt })
    : null
  const code = made ? { code: writeCode(made.code) } : {}
  await send(provider, {
    identifier,
    token,
    expires,
    url: link.href,
    ...code,
    theme: config.theme,
    request: repeatRequest(request),
    message: signInMessage({
      url: link.href,
      ...code,
      theme: config.theme,
      language: await languageFor(config, request),
    }),
  })
  const requested = {
    identifier,
    provider: provider.id,
    code: made?.requested ?? null,
    remember: saysRemember(request.body),
    returnTo: callbackUrl,
  }
  const query = new URLSearchParams({ provider: provider.id, type: 'email' })
  return redirect(`${endpointUrl(config, origin, 'verify-request')}?${query}`, [
    ...(await writeEmailRequest(config, request, requested, maxAge)),
    ...rememberReturn(config, request, callbackUrl),
  ])
}

/** A token of the application's making. Throws if it could be guessed. */
async function ownToken(provider: EmailConfig): Promise<string | undefined> {
  const token = await provider.generateVerificationToken?.()
  if (token === undefined) return undefined
  const bits = Math.floor(maxTokenBits(token))
  if (bits >= MIN_TOKEN_BITS) return token
  throw new InvalidConfiguration(
    `generateVerificationToken of "${provider.id}" returned a token with ${bits} bits at most, which can be guessed: ` +
      `${MIN_TOKEN_BITS} are needed. For a code that people type in, leave it out and set \`code: true\`; otherwise return ` +
      '32 random bytes in hexadecimal.',
  )
}

/** The code beside a link, and what the browser keeps of it. */
async function makeCode(
  config: ResolvedConfig,
  provider: EmailConfig,
  link: {
    identifier: string
    token: string
    hashed: string
    maxAge: number
    startedAt: number | undefined
  },
): Promise<{ readonly code: string; readonly requested: RequestedCode }> {
  const codes = emailCodesFor(config, provider)
  const code = await codes.codeFor(link)
  const id = config.ports.randomHex(16)
  const sent = config.ports.now()
  const requested = {
    id,
    hash: await codes.hash(code, id),
    link: link.hashed,
    sent,
    until: sent + Math.min(CODE_MAX_AGE, link.maxAge) * 1000,
    left: CODE_ATTEMPTS,
    startedAt: link.startedAt,
  }
  await storeGuesses(config, requested)
  return { code, requested }
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
    failure.isServerError = !isRejectedRecipient(error)
    throw failure
  }
}

/** By Nodemailer's name for it: the mail server does not take messages to that address. */
function isRejectedRecipient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EENVELOPE'
}
