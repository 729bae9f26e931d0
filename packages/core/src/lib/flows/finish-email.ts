import { applyEmail } from '../account/apply-email.ts'
import { findByAddress } from '../account/find-by-address.ts'
import { Verification } from '../base/errors.ts'
import type { VerificationToken } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import { clearCookie } from '../http/cookies.ts'
import { type Outgoing, page } from '../http/outgoing.ts'
import { confirmEmailPage } from '../pages/confirm-email.ts'
import type { EmailConfig } from '../providers/email.ts'
import { chooseReturn } from '../steps/choose-redirect.ts'
import { asCallbackError, askApplication, completeSignIn } from '../steps/complete-sign-in.ts'
import { emailAskedFor, emailRows, emailTokensFor } from '../steps/email-parts.ts'
import type { Incoming } from '../steps/incoming.ts'
import { settingOf } from '../steps/page-setting.ts'
import { saysRemember, sessionTerms } from '../steps/session-terms.ts'
import { issueFormToken } from './csrf.ts'
import { emailAccount, standIn } from './start-email.ts'

/**
 * `GET callback` of an email provider. Programs that look at mail open its links, too: so this uses
 * nothing up, but shows a page that signs in by a form.
 */
export async function confirmEmail(
  config: ResolvedConfig,
  request: Incoming,
  provider: EmailConfig,
): Promise<Outgoing> {
  const { token, email } = request.query
  if (!token || !email) throw new Verification('The link has no token or no address.')
  const asked = await emailAskedFor(config, request)
  // Opened in the browser that asked for it, a link need not be confirmed by a person. In any other,
  // someone may have sent it who wants the visitor to be signed in as someone else.
  const isExpected = asked?.identifier === email && asked.provider === provider.id
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
  try {
    const rows = emailRows(config)
    const { identifier } = await useToken(config, request, provider)
    const userByEmail = await findByAddress(rows, identifier)
    const user = userByEmail ?? standIn(config, identifier)
    const account = emailAccount(provider, user)
    const isEmailProven = true
    const elsewhere = await askApplication(config, request, { user, account, isEmailProven })
    if (elsewhere) return elsewhere
    const linked = await applyEmail(rows, config.events, {
      email: identifier,
      userByEmail,
      now: config.ports.now,
      randomHex: config.ports.randomHex,
    })
    const asked = await emailAskedFor(config, request)
    const earlier = asked?.identifier === identifier ? asked.remember : undefined
    const said = saysRemember(request.body) ?? earlier
    const answer = await completeSignIn(config, request, {
      ...linked,
      terms: await sessionTerms(config, request, said),
      account: { ...account, userId: linked.user.id },
      isEmailProven,
    })
    const { emailRequest } = request.cookieOptions
    const isAsked = request.cookies[emailRequest.name] !== undefined
    return {
      ...answer,
      cookies: [...answer.cookies, ...(isAsked ? [clearCookie(emailRequest)] : [])],
    }
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}

/** Takes the token out of the store. A second caller finds it gone. */
async function useToken(
  config: ResolvedConfig,
  { body, query }: Incoming,
  provider: EmailConfig,
): Promise<VerificationToken> {
  const token = body['token'] ?? query['token']
  const identifier = body['email'] ?? query['email']
  if (typeof token !== 'string' || typeof identifier !== 'string' || !token || !identifier) {
    throw new Verification('The link has no token or no address.')
  }
  const rows = emailRows(config)
  for (const hashed of await emailTokensFor(config, provider).candidates(token)) {
    const used = await rows.useVerificationToken({ identifier, token: hashed })
    if (!used) continue
    // What the store answers decides who signs in, so it is not taken on trust.
    if (used.identifier !== identifier || (used.token !== undefined && used.token !== hashed)) {
      throw new Verification('The adapter returned a token for another address.')
    }
    if (used.expires.getTime() <= config.ports.now())
      throw new Verification('The link has expired.')
    return used
  }
  throw new Verification('The link has already been used, or was never sent.')
}
