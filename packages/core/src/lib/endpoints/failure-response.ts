import {
  type AuthError,
  EmailCodeError,
  isAuthError,
  isClientError,
  ReauthenticationRequired,
  TooManyAttempts,
  WebAuthnVerificationError,
} from '../base/errors.ts'
import type { PagesOptions } from '../config/options.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { storeFormValues } from '../flows/cookies/form-values.ts'
import { rememberError } from '../flows/page/last-error.ts'
import { emailFirstMethods } from '../flows/provider/email-first-methods.ts'
import { pageUrl } from '../flows/request/endpoint-url.ts'
import type { Failure } from '../flows/request/failure.ts'
import type { Incoming } from '../flows/request/incoming.ts'
import { chooseReturn, rememberReturn } from '../flows/request/return-url.ts'
import { unknownSession } from '../flows/session/get-session.ts'
import { acceptsHtml } from '../http/accepts-html.ts'
import type { SetCookie } from '../http/cookies.ts'
import type { AuthAction } from '../http/request.ts'
import { json, type Outgoing, redirect } from '../http/response.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { ENDPOINTS } from './routes.ts'

/** The endpoint that failed, with the provider that its path names. */
export interface Failed {
  readonly action: AuthAction
  readonly provider: ProviderObject | undefined
}

/** The response to a failure: a page for people, a status for programs. */
export async function failureResponse(
  config: ResolvedConfig,
  request: Incoming,
  failed: Failed,
  { reason, cookies, returnTo }: Failure,
): Promise<Outgoing> {
  rememberError(config, reason)
  const response = await responseTo(config, request, failed, reason, returnTo)
  return { ...response, cookies: [...cookies, ...response.cookies] }
}

async function responseTo(
  config: ResolvedConfig,
  request: Incoming,
  { action, provider }: Failed,
  reason: unknown,
  returnTo: string | undefined,
): Promise<Outgoing> {
  const authError = isAuthError(reason) ? reason : undefined
  if (action === 'session') {
    // It is unknown whether the visitor is signed in, which is different from not being signed in.
    return authError && isClientError(authError) ? json(null, 400) : unknownSession
  }
  const { unknownMessage: unknown } = ENDPOINTS[action]
  if (unknown && !acceptsHtml(request.headers)) {
    const isUnsupported =
      authError?.type === 'UnsupportedStrategy' || authError?.type === 'MissingAdapterMethods'
    const isBad = authError?.type === 'InvalidRequest' || isClientError(authError)
    return isBad
      ? json({ message: 'Bad request.' }, 400)
      : json({ message: `${unknown} Check the server logs.` }, isUnsupported ? 404 : 503)
  }
  if (authError instanceof ReauthenticationRequired && action === 'webauthn-options') {
    return json({ error: authError.type }, 403)
  }
  if (authError instanceof TooManyAttempts) {
    const { tooManyAttemptsResponse } = await import('./too-many-attempts-response.ts')
    return tooManyAttemptsResponse(config, request, provider, authError, [
      ...(await returnCookies(config, request, returnTo)),
      ...(await formValuesCookies(config, request, provider, authError.type)),
    ])
  }
  const page = pageFor(config, authError)
  const code =
    authError && 'code' in authError && typeof authError.code === 'string'
      ? authError.code
      : undefined
  const params = {
    error: authError && isClientError(authError) ? authError.type : 'Configuration',
    code,
    ...(page === 'verifyRequest' && { provider: provider?.id, type: 'email' }),
  }
  const to = pageUrl(config, request.origin, page, params)
  if (page !== 'signIn') return redirect(to)
  return redirect(to, [
    ...(await returnCookies(config, request, returnTo)),
    ...(await formValuesCookies(config, request, provider, params.error)),
  ])
}

function pageFor(config: ResolvedConfig, reason: AuthError | undefined): keyof PagesOptions {
  // A code is entered on the page that confirms it was sent.
  if (reason instanceof EmailCodeError) return 'verifyRequest'
  // If a passkey is one of several ways to continue from an address, the others are offered there.
  const isEmailFirst =
    reason instanceof WebAuthnVerificationError && emailFirstMethods(config).length > 0
  return isEmailFirst ? 'signIn' : (reason?.kind ?? 'error')
}

/** So that no one has to type their address twice. A form from another site fills in nothing. */
async function formValuesCookies(
  config: ResolvedConfig,
  request: Incoming,
  provider: ProviderObject | undefined,
  error: string,
): Promise<readonly SetCookie[]> {
  // Nothing is typed into what is only asked for, such as the options of a passkey.
  const isForm = request.method === 'POST' && error !== 'MissingCSRF'
  return provider && isForm ? storeFormValues(config, request, provider, error) : []
}

/** So that the next try leads to where the visitor wanted to go. */
async function returnCookies(
  config: ResolvedConfig,
  request: Incoming,
  earlier: string | undefined,
): Promise<readonly SetCookie[]> {
  try {
    return rememberReturn(config, request, await chooseReturn(config, request, earlier), earlier)
  } catch {
    return [] // the application's callback fails; that was reported already, or will be
  }
}
