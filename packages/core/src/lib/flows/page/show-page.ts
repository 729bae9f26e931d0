import type { PageConfig, ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { type Outgoing, type PageAnswer, page, redirect } from '../../http/response.ts'
import { errorPage } from '../../pages/error.ts'
import { signOutPage } from '../../pages/sign-out.ts'
import { type CodeFormView, verifyRequestPage } from '../../pages/verify-request.ts'
import { type AskedCode, type EmailRequest, emailRequestCookie } from '../cookies/email-request.ts'
import { beginForm } from '../request/begin-form.ts'
import { endpointUrl, pageUrl } from '../request/endpoint-url.ts'
import { issueFormToken } from '../request/form-token.ts'
import type { Incoming } from '../request/incoming.ts'
import { type Asker, settingOf } from '../request/page-context.ts'
import { lastFault } from './last-error.ts'
import { secondsIn } from './retry-after.ts'

/** `GET signout` */
export async function showSignOut(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  if (config.pages.signOut) {
    return redirect(pageUrl(config, request.origin, 'signOut'), cookies)
  }
  const rendered = await signOutPage({
    ...(await settingOf(config, request.origin, request)),
    action: endpointUrl(config, request.origin, 'signout'),
    csrfToken,
    callbackUrl,
  })
  return page(rendered, 200, cookies)
}

/** `GET verify-request` */
export async function showVerifyRequest(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  const { origin, query } = request
  if (config.pages.verifyRequest) {
    return redirect(pageUrl(config, origin, 'verifyRequest', query))
  }
  const asked = await emailRequestCookie.read(config, request)
  const form = asked?.code
    ? await codeForm(config, request, { ...asked, code: asked.code })
    : { code: null, cookies: [] }
  const rendered = await verifyRequestPage({
    ...(await settingOf(config, origin, request)),
    email: asked?.identifier,
    isPassword: query['type'] === 'password',
    signInUrl: pageUrl(config, origin, 'signIn'),
    code: form.code,
  })
  return page(rendered, 200, form.cookies)
}

/** How long somebody should wait for a message before they ask for another, in milliseconds. */
const PATIENCE = 30_000

/** What the form for a code needs. */
async function codeForm(
  config: ResolvedConfig,
  request: Incoming,
  asked: EmailRequest & { readonly code: AskedCode },
): Promise<{ readonly code: CodeFormView; readonly cookies: readonly SetCookie[] }> {
  const { error, code: why } = request.query
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const waited = config.ports.now() - asked.code.sent
  return {
    code: {
      action: endpointUrl(config, request.origin, `signin/${encodeURIComponent(asked.provider)}`),
      csrfToken,
      callbackUrl: asked.returnTo,
      remember: asked.remember,
      error,
      why,
      retryAfter: secondsIn(why),
      resendAfter: Math.max(0, Math.ceil((PATIENCE - waited) / 1000)),
    },
    cookies,
  }
}

/** `GET error` */
export async function showError(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error } = request.query
  if (config.pages.error) return redirect(pageUrl(config, request.origin, 'error', { error }))
  const details = lastFault(config, error)
  return builtInError(config, request.origin, request, error, details)
}

/** The built-in error page, whatever the application has. */
export async function builtInError(
  config: PageConfig,
  origin: string,
  asker: Asker,
  error: string | undefined,
  details: readonly string[] = [],
): Promise<PageAnswer> {
  const shown = errorPage({
    ...(await settingOf(config, origin, asker)),
    error,
    signInUrl: pageUrl(config, origin, 'signIn'),
    details: config.development ? details : [],
  })
  return page(await shown.page, shown.status)
}
