import { EmailCodeError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { readCode } from '../../email/code.ts'
import type { OutgoingRedirect } from '../../http/response.ts'
import type { EmailConfig } from '../../providers/email.ts'
import {
  type EmailRequest,
  emailRequestCookie,
  type RequestedCode,
  writeEmailRequest,
} from '../cookies/email-request.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { linkMaxAge, takeLink } from '../sign-in/email-store.ts'
import { resumeAttempt } from '../sign-in/sign-in-attempt.ts'
import { completeEmail } from './complete-email.ts'
import { emailCodesFor, storeGuesses, takeGuesses } from './email-code.ts'

/** A request for a code that this browser has made. */
type CodeRequest = EmailRequest & { readonly code: RequestedCode }

/** Whether a form has a code in it, rather than an address to send one to. */
export function hasCode({ body }: Incoming): boolean {
  const { code, email } = body
  return typeof code === 'string' && (code.trim() !== '' || email === undefined)
}

/** `POST signin` of an email provider with a code: signs in the browser that asked for it, and no other. */
export async function finishCode(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<OutgoingRedirect> {
  const pending = await emailRequestCookie.read(config, request)
  if (!isOpen(config, pending, provider))
    throw expired('This browser has asked for no code, or long ago.')
  const entered = readCode(request.body['code'])
  // A text that cannot be a code does not count as a guess.
  if (entered === null) throw wrong('What was typed is not a code.')
  const { identifier } = pending
  const counted = await requireAttempt(config, request, {
    kind: 'code',
    provider: provider.id,
    accounts: [identifier],
  })
  try {
    await requireRightCode(config, request, provider, pending, entered)
    await counted.succeeded()
    const link = await takeLink(config, { identifier, token: pending.code.link })
    if (link === null) throw expired('The link beside the code was used, or the code was.')
    if (typeof link === 'string') throw expired(`The link beside the code is ${link}.`)
    const { startedAt, sent: issuedAt } = pending.code
    const start = startedAt === undefined ? undefined : { time: startedAt }
    const attempt = await resumeAttempt(config, { start, issuedAt })
    return await completeEmail(config, request, provider, { identifier, attempt }, pending.returnTo)
  } catch (error) {
    throw error instanceof Failure ? error : asCallbackError(error, provider.id)
  }
}

function isOpen(
  { ports }: ResolvedConfig,
  pending: EmailRequest | null,
  provider: EmailConfig,
): pending is CodeRequest {
  return (
    pending?.provider === provider.id && pending.code !== null && pending.code.until > ports.now()
  )
}

/** Uses up a guess, and throws unless it is right. */
async function requireRightCode(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
  pending: CodeRequest,
  entered: string,
): Promise<void> {
  const { code } = pending
  const guesses = await takeGuesses(config, code)
  if (guesses === null) throw expired('There are no guesses left at the code.')
  if (await emailCodesFor(config, provider).isHashOf(code.hash, entered, code.id)) return
  const left = guesses - 1
  if (left === 0) throw expired('That was the last guess at the code.')
  await storeGuesses(config, code, left)
  const passed = Math.floor((config.ports.now() - code.sent) / 1000)
  const cookies = await writeEmailRequest(
    config,
    request,
    { ...pending, code: { ...code, left } },
    linkMaxAge(provider) - passed,
  )
  throw new Failure(wrong('The code is wrong.'), cookies)
}

function wrong(message: string): EmailCodeError {
  return new EmailCodeError(message)
}

function expired(message: string): EmailCodeError {
  const error = new EmailCodeError(message)
  error.code = 'expired'
  return error
}
