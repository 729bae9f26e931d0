import { Verification } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { writeCode } from '../../email/code.ts'
import { isPlainToken, isSigned } from '../../email/link-token.ts'
import { type Outgoing, page } from '../../http/response.ts'
import { confirmEmailPage } from '../../pages/confirm-email.ts'
import { showCodePage } from '../../pages/show-code.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { emailRequestCookie } from '../cookies/email-request.ts'
import type { AllowedAttempt } from '../limits/count-attempt.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { issueFormToken } from '../request/form-token.ts'
import type { Incoming } from '../request/incoming.ts'
import { settingOf } from '../request/page-context.ts'
import { chooseReturn } from '../request/return-url.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import {
  issueTimeOf,
  linkCandidates,
  linkMaxAge,
  linkTokensOf,
  takeLink,
} from '../sign-in/email-store.ts'
import { type ReadLink, requireLink } from '../sign-in/mailed-link.ts'
import { resumeAttempt } from '../sign-in/sign-in-attempt.ts'
import { isIdentifier } from './address.ts'
import { completeEmail, type ProvenAddress } from './complete-email.ts'
import { emailCodesFor } from './email-code.ts'

/**
 * `GET callback` of an email provider. Programs that look at mail open its links, too: so this uses
 * nothing up, but shows a page that signs in by a form.
 */
export async function confirmEmail(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<Outgoing> {
  const { token, identifier: email } = await linkOf(config, provider, request.query)
  // Opened in the browser that asked for it, a link need not be confirmed by a person. In any other,
  // someone may have sent it who wants the visitor to be signed in as someone else.
  const isExpected = await isAsker(config, request, provider, email)
  if (!isExpected && showsCode(provider)) {
    const code = await emailCodesFor(config, provider).codeFor({ token, identifier: email })
    const setting = await settingOf(config, request.origin, request)
    return page(await showCodePage({ ...setting, code: writeCode(code) }))
  }
  if (isExpected && provider.confirm === false) return finishEmail(config, request, provider)
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const rendered = await confirmEmailPage({
    ...(await settingOf(config, request.origin, request)),
    action: request.url.origin + request.url.pathname,
    csrfToken,
    token,
    email,
    callbackUrl: await chooseReturn(config, request),
    submitsItself: isExpected,
  })
  return page(rendered, 200, cookies)
}

/** `POST callback` of an email provider: the token proves that the address is the visitor's. */
export async function finishEmail(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<Outgoing> {
  await requireAttempt(config, request, { kind: 'callback', provider: provider.id, accounts: [] })
  try {
    const proven = await useToken(config, request, provider)
    return await completeEmail(config, request, provider, proven)
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}

/** Takes the token out of the store. Returns the address that it proves. */
async function useToken(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<ProvenAddress> {
  const { body, query } = request
  const read = await linkOf(config, provider, {
    token: body['token'] ?? query['token'],
    email: body['email'] ?? query['email'],
  })
  const { token, identifier } = read
  if (showsCode(provider) && !(await isAsker(config, request, provider, identifier))) {
    throw new Verification('The link signs in only where it was asked for.')
  }
  const counted = await countGuess(config, request, provider, read)
  for (const hashed of await linkCandidates(config, provider, token)) {
    const link = await takeLink(config, { identifier, token: hashed })
    if (link === 'of another') {
      throw new Verification('The adapter returned a token for another address.')
    }
    if (link === 'expired') throw new Verification('The link has expired.')
    if (!link) continue
    await counted?.succeeded()
    const issued = issueTimeOf(read, link, linkMaxAge(provider))
    return { identifier, attempt: await resumeAttempt(config, issued) }
  }
  throw new Verification('The link has already been used, or was never sent.')
}

/** Counts a token of the application's making for its address: it may be easier to guess than it looks. */
async function countGuess(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
  { token, identifier }: ReadLink,
): Promise<AllowedAttempt | null> {
  if (!provider.generateVerificationToken || isSigned(token)) return null
  const accounts = [identifier]
  return requireAttempt(config, request, { kind: 'code', provider: provider.id, accounts })
}

function linkOf(
  config: ResolvedConfig,
  provider: EmailConfig,
  values: { readonly token?: unknown; readonly email?: unknown },
): Promise<ReadLink> {
  return requireLink(values, linkTokensOf(config, provider), ({ token, identifier }) => {
    const isToken = provider.generateVerificationToken !== undefined || isPlainToken(token)
    return isToken && isIdentifier(provider, identifier)
  })
}

/** Whether this browser has asked for a message to an address. */
async function isAsker(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
  identifier: string,
): Promise<boolean> {
  const pending = await emailRequestCookie.read(config, request)
  return pending?.identifier === identifier && pending.provider === provider.id
}

/** Whether another browser can use a link only to see the code. */
function showsCode({ code, elsewhere }: EmailConfig): boolean {
  return code === true && elsewhere === 'show-code'
}
