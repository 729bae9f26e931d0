import { applyEmail } from '../../account/apply-email.ts'
import { findByAddress } from '../../account/find-by-address.ts'
import { parseEnteredAddress } from '../../base/email-address.ts'
import { AccessDenied, Verification } from '../../base/errors.ts'
import type { StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { isPlainToken } from '../../email/link-token.ts'
import { type Outgoing, type OutgoingRedirect, page } from '../../http/response.ts'
import { choosePasswordPage } from '../../pages/choose-password.ts'
import { completeRules, passwordLinkMaxAge } from '../../passwords/password-defaults.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { emailRequestCookie } from '../cookies/email-request.ts'
import { requireAttempt } from '../limits/require-attempt.ts'
import { issueFormToken } from '../request/form-token.ts'
import type { Incoming } from '../request/incoming.ts'
import { settingOf } from '../request/page-context.ts'
import { chooseReturn } from '../request/return-url.ts'
import { authorizeSignIn } from '../sign-in/authorize-sign-in.ts'
import { asCallbackError } from '../sign-in/callback-error.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { emailRows, issueTimeOf, standIn, takeLink } from '../sign-in/email-store.ts'
import { type ReadLink, requireLink } from '../sign-in/mailed-link.ts'
import { decideSessionLimits, saysRemember } from '../sign-in/session-limits.ts'
import { resumeAttempt, type SignInAttempt } from '../sign-in/sign-in-attempt.ts'
import { getHasher } from './hasher.ts'
import { linkTokensOf, passwordLinkRows } from './password-link.ts'
import { tellOwner } from './password-mail.ts'
import { findPassword, passwordAccount } from './password-store.ts'
import { replacePassword } from './replace-password.ts'
import { requirePassword } from './validate-password.ts'

/**
 * `GET callback` of a password provider: the page behind the link. Programs that look at mail open it, too: it
 * uses nothing up.
 */
export async function showChoosePassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<Outgoing> {
  const { error, code } = request.query
  const { token, identifier: email } = await linkOf(config, provider, request.query)
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const rendered = await choosePasswordPage({
    ...(await settingOf(config, request.origin, request)),
    action: request.url.origin + request.url.pathname,
    csrfToken,
    token,
    email,
    callbackUrl: await chooseReturn(config, request),
    errorCode: error === 'PasswordRefused' ? code : undefined,
    minLength: completeRules(provider.rules).minLength,
  })
  return page(rendered, 200, cookies)
}

/** `POST callback` of a password provider: the link proves the address, and the password is its owner's. */
export async function choosePassword(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
): Promise<OutgoingRedirect> {
  await requireAttempt(config, request, { kind: 'callback', provider: provider.id, accounts: [] })
  const link = await linkOf(config, provider, request.body)
  const { identifier: email } = link
  // First: a link is not used up by a password that is not taken.
  const password = await requirePassword(config, provider, email, request.body['password'])
  try {
    const used = await useLink(config, provider, link)
    return await storeAndSignIn(config, request, provider, { email, password, ...used })
  } catch (error) {
    throw asCallbackError(error, provider.id)
  }
}

function linkOf(
  config: ResolvedConfig,
  provider: PasswordConfig,
  values: { readonly token?: unknown; readonly email?: unknown },
): Promise<ReadLink> {
  return requireLink(values, linkTokensOf(config, provider), ({ token, identifier }) => {
    return isPlainToken(token) && parseEnteredAddress(identifier) === identifier
  })
}

/** A link that was taken out of the store. */
interface UsedLink {
  /** The password that the link was made for. */
  readonly replaced: StoredPassword | null
  readonly attempt: SignInAttempt
}

/** Takes the link out of the store. Throws unless it was there. */
async function useLink(
  config: ResolvedConfig,
  provider: PasswordConfig,
  read: ReadLink,
): Promise<UsedLink> {
  const { identifier: address, token } = read
  const user = await findByAddress(emailRows(config), address)
  const stored = await findPassword(config, user)
  for (const row of await passwordLinkRows(config, { address, token, stored })) {
    const link = await takeLink(config, row)
    if (link === 'of another') {
      throw new Verification('The adapter returned a token for another address.')
    }
    if (link === 'expired') throw new Verification('The link has expired.')
    if (!link) continue
    const issued = issueTimeOf(read, link, passwordLinkMaxAge(provider))
    return { replaced: stored, attempt: await resumeAttempt(config, issued) }
  }
  throw new Verification('The link has already been used, or was never sent.')
}

interface Chosen extends UsedLink {
  readonly email: string
  readonly password: string
}

async function storeAndSignIn(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  { email, password, replaced, attempt }: Chosen,
): Promise<OutgoingRedirect> {
  const rows = emailRows(config, attempt)
  const userByEmail = await findByAddress(rows, email)
  // Before anything is changed: a link of before the revocation sets no password after it.
  await attempt.requireUnrevoked(userByEmail?.id)
  if (!userByEmail && provider.signUp === false) throw new AccessDenied('Nobody can sign up.')
  const isEmailProven = true
  const asking = userByEmail ?? standIn(config, email)
  const authorization = await authorizeSignIn(config, request, {
    user: asking,
    account: passwordAccount(provider, asking),
    isEmailProven,
  })
  if (authorization.redirect) return authorization.redirect
  const hash = await getHasher(provider).hash(password)
  const { now, randomHex } = config.ports
  // Anyone who was in the user without having proved the address is locked out here, their password included.
  const linked = await applyEmail(rows, config.events, { email, userByEmail, now, randomHex })
  // Only those stay who had proved the address; of all others, the password is gone by now.
  const isTheirs = userByEmail?.emailVerified instanceof Date && linked.user.id === replaced?.userId
  const replaces = isTheirs ? replaced : null
  // Of two links that are used at once, or beside a change, one is too late.
  if (!(await replacePassword(config, provider, attempt, linked.user, { hash, replaces }))) {
    throw new Verification('The password was changed while the link was used.')
  }
  if (!linked.isNewUser) {
    await tellOwner(config, request, provider, { to: email, reason: 'changed' })
  }
  const pending = await emailRequestCookie.read(config, request)
  const remember =
    saysRemember(request.body) ?? (pending?.identifier === email ? pending.remember : undefined)
  const approved = authorization.approve({
    ...linked,
    attempt,
    limits: await decideSessionLimits(config, request, remember),
    account: passwordAccount(provider, linked.user),
    isEmailProven,
    stillHolds: async () => (await findPassword(config, linked.user))?.hash === hash,
  })
  const response = await completeSignIn(config, request, approved)
  return { ...response, cookies: [...response.cookies, ...emailRequestCookie.clear(request)] }
}
