import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { type Outgoing, page, redirect } from '../../http/response.ts'
import { type CodeFormView, verifyRequestPage } from '../../pages/verify-request.ts'
import {
  type EmailRequest,
  emailRequestCookie,
  type RequestedCode,
} from '../cookies/email-request.ts'
import { endpointUrl, pageUrl } from '../request/endpoint-url.ts'
import { issueFormToken } from '../request/form-token.ts'
import type { Incoming } from '../request/incoming.ts'
import { readRetryAfter, settingOf } from '../request/page-context.ts'

/** `GET verify-request` */
export async function showVerifyRequest(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  const { origin, query } = request
  if (config.pages.verifyRequest) {
    return redirect(pageUrl(config, origin, 'verifyRequest', query))
  }
  const pending = await emailRequestCookie.read(config, request)
  const form = pending?.code
    ? await codeForm(config, request, { ...pending, code: pending.code })
    : { code: null, cookies: [] }
  const rendered = await verifyRequestPage({
    ...(await settingOf(config, origin, request)),
    email: pending?.identifier,
    isPassword: query['type'] === 'password',
    signInUrl: pageUrl(config, origin, 'signIn'),
    code: form.code,
  })
  return page(rendered, 200, form.cookies)
}

/** How long a visitor should wait for a message before asking for another. */
const RESEND_AFTER_MILLISECONDS = 30_000

/** The values that the form for a code needs. */
async function codeForm(
  config: ResolvedConfig,
  request: Incoming,
  pending: EmailRequest & { readonly code: RequestedCode },
): Promise<{ readonly code: CodeFormView; readonly cookies: readonly SetCookie[] }> {
  const { error, code: reason } = request.query
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const waited = config.ports.now() - pending.code.sent
  return {
    code: {
      action: endpointUrl(config, request.origin, `signin/${encodeURIComponent(pending.provider)}`),
      csrfToken,
      callbackUrl: pending.returnTo,
      remember: pending.remember,
      error,
      reason,
      retryAfter: readRetryAfter(reason),
      resendAfter: Math.max(0, Math.ceil((RESEND_AFTER_MILLISECONDS - waited) / 1000)),
    },
    cookies,
  }
}
