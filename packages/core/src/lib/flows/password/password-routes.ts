import { isAuthError, type PasswordRefused } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type Outgoing, page, redirect } from '../../http/response.ts'
import { changePasswordPage } from '../../pages/change-password.ts'
import { passwordLinkPage } from '../../pages/request-password-link.ts'
import { completeRules } from '../../passwords/password-defaults.ts'
import type { PasswordConfig, PasswordPage } from '../../providers/password.ts'
import { formValuesCookie } from '../cookies/form-values.ts'
import { requireLinkingUser } from '../cookies/reauthentication.ts'
import { hasOtherSignInMethod } from '../provider/sign-in-methods.ts'
import { beginForm } from '../request/begin-form.ts'
import { endpointUrl, pageUrl } from '../request/endpoint-url.ts'
import { issueFormToken } from '../request/form-token.ts'
import type { Incoming } from '../request/incoming.ts'
import { settingOf } from '../request/page-context.ts'
import { chooseReturn } from '../request/return-url.ts'
import { changePassword } from './change-password.ts'
import { choosePassword, showChoosePassword } from './choose-password.ts'
import { passwordPageUrl } from './password-page-url.ts'
import { findPassword } from './password-store.ts'
import { removePassword } from './remove-password.ts'
import { type PasswordPurpose, sendPasswordLink } from './request-password-link.ts'

/** Answers a request about passwords. */
type PasswordFlow = (
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
) => Promise<Outgoing>

/** `GET password/sign-up` */
export const showSignUp: PasswordFlow = (config, request, provider) =>
  showAsking(config, request, provider, 'sign-up')

/** `GET password/forgot` */
export const showForgot: PasswordFlow = (config, request, provider) =>
  showAsking(config, request, provider, 'reset')

/** `POST password/sign-up` */
export const postSignUp: PasswordFlow = (config, request, provider) =>
  sendPasswordLink(config, request, provider, 'sign-up')

/** `POST password/forgot` */
export const postForgot: PasswordFlow = (config, request, provider) =>
  sendPasswordLink(config, request, provider, 'reset')

async function showAsking(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  purpose: PasswordPurpose,
): Promise<Outgoing> {
  const { origin, query } = request
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  const isSignUp = purpose === 'sign-up'
  const which = isSignUp ? 'signUp' : 'forgot'
  if (provider.pages?.[which]) {
    return redirect(passwordPageUrl(config, origin, provider, which, { callbackUrl }), cookies)
  }
  const rendered = await passwordLinkPage({
    ...(await settingOf(config, origin, request)),
    purpose,
    action: endpointUrl(config, origin, isSignUp ? 'password/sign-up' : 'password/forgot'),
    csrfToken,
    callbackUrl,
    email: query['email'] ?? (await formValuesCookie.read(config, request))?.values['email'],
    signInUrl: pageUrl(config, origin, 'signIn'),
  })
  return page(rendered, 200, cookies)
}

/** `GET callback` of a password provider */
export const showChoose: PasswordFlow = async (config, request, provider) => {
  if (!provider.pages?.choose) return showChoosePassword(config, request, provider)
  // A page of the application may well send people on to it: it is as far as it was allowed.
  const callbackUrl = await chooseReturn(config, request)
  const query = { ...request.query, callbackUrl }
  return redirect(passwordPageUrl(config, request.origin, provider, 'choose', query))
}

/** `POST callback` of a password provider */
export const postChoose: PasswordFlow = (config, request, provider) =>
  orBack(config, request, provider, 'choose', choosePassword)

/** `POST password` */
export const postChange: PasswordFlow = (config, request, provider) =>
  orBack(config, request, provider, 'change', changePassword)

/** `POST password/remove` */
export const postRemove: PasswordFlow = (config, request, provider) =>
  orBack(config, request, provider, 'change', removePassword)

/** `GET password`: for users who are signed in. */
export const showChange: PasswordFlow = async (config, request, provider) => {
  const { origin, query } = request
  const callbackUrl = await chooseReturn(config, request)
  const back = endpointUrl(config, origin, 'password')
  const user = await requireLinkingUser(config, request, back)
  if (!user) {
    const error = 'SessionRequired'
    return redirect(pageUrl(config, origin, 'signIn', { callbackUrl: back, error }))
  }
  if (provider.pages?.change) {
    return redirect(passwordPageUrl(config, origin, provider, 'change', { callbackUrl }))
  }
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const rendered = await changePasswordPage({
    ...(await settingOf(config, origin, request)),
    change: endpointUrl(config, origin, 'password'),
    remove: endpointUrl(config, origin, 'password/remove'),
    ask: endpointUrl(config, origin, 'password/forgot'),
    csrfToken,
    callbackUrl,
    email: user.email,
    hasPassword: (await findPassword(config, user)) !== null,
    canRemove: await hasOtherSignInMethod(config, user),
    errorCode: query['error'] === 'PasswordRefused' ? query['code'] : undefined,
    minLength: completeRules(provider.rules).minLength,
  })
  return page(rendered, 200, cookies)
}

/** Back to the page with the form where a password is not taken, so that another can be chosen. */
async function orBack(
  config: ResolvedConfig,
  request: Incoming,
  provider: PasswordConfig,
  back: PasswordPage,
  flow: PasswordFlow,
): Promise<Outgoing> {
  try {
    return await flow(config, request, provider)
  } catch (error) {
    if (!isPasswordRefused(error)) throw error
    config.logger.debug(error.message)
    const { token, email } = request.body
    const link = back === 'choose' ? { token: String(token), email: String(email) } : {}
    const callbackUrl = await chooseReturn(config, request)
    const query = { ...link, callbackUrl, error: error.type, code: error.code }
    return redirect(passwordPageUrl(config, request.origin, provider, back, query))
  }
}

function isPasswordRefused(error: unknown): error is PasswordRefused {
  return isAuthError(error) && error.type === 'PasswordRefused'
}
