import type { TooManyAttempts } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { emailRequestCookie } from '../flows/cookies/email-request.ts'
import { pageUrl } from '../flows/request/endpoint-url.ts'
import type { Incoming } from '../flows/request/incoming.ts'
import { acceptsHtml } from '../http/accepts-html.ts'
import type { SetCookie } from '../http/cookies.ts'
import { json, type Outgoing, redirect } from '../http/response.ts'
import type { ProviderObject } from '../providers/provider.ts'

/** Asks a visitor to wait: people on the page that they are on, programs by a status. */
export async function tooManyAttemptsResponse(
  config: ResolvedConfig,
  request: Incoming,
  provider: ProviderObject | undefined,
  { type, retryAfter }: TooManyAttempts,
  cookies: readonly SetCookie[],
): Promise<Outgoing> {
  const { origin, headers } = request
  const isCode = await isAboutCode(config, request, provider)
  const query = {
    error: type,
    // As `code`, which clients of Auth.js pass on as well.
    code: String(retryAfter),
    ...(isCode && provider && { provider: provider.id, type: 'email' }),
  }
  const page = isCode ? 'verifyRequest' : 'signIn'
  const to = pageUrl(config, origin, page, query)
  if (headers.has('x-auth-return-redirect')) return { ...redirect(to, cookies), retryAfter }
  if (!acceptsHtml(headers)) {
    return { ...json({ error: type, retryAfter }, 429, cookies), retryAfter }
  }
  // A page of the application's own is somewhere else, which a status cannot say as well.
  if (config.pages[page]) return redirect(to, cookies)
  const show = isCode
    ? (await import('../flows/page/show-verify-request.ts')).showVerifyRequest
    : (await import('../flows/page/show-sign-in.ts')).showSignIn
  // With what was typed, which is in a cookie that is on its way.
  const set = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  const response = await show(config, {
    ...request,
    query,
    cookies: { ...request.cookies, ...set },
  })
  if (response.kind !== 'page') return response
  return { ...response, status: 429, retryAfter, cookies: [...cookies, ...response.cookies] }
}

/** Whether the visitor has entered a code, or requests another one. */
async function isAboutCode(
  config: ResolvedConfig,
  request: Incoming,
  provider: ProviderObject | undefined,
): Promise<boolean> {
  if (provider?.type !== 'email' || !provider.code) return false
  const pending = await emailRequestCookie.read(config, request)
  const { code, email } = request.body
  return pending?.provider === provider.id && (code !== undefined || email === pending.identifier)
}
