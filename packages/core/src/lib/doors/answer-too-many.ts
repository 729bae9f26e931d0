import type { TooManyAttempts } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import type { SetCookie } from '../http/cookies.ts'
import { json, type Outgoing, redirect } from '../http/outgoing.ts'
import type { Incoming } from '../steps/incoming.ts'
import { pageUrl } from '../steps/page-url.ts'

/** Tells somebody to wait: people by the sign-in page, programs by a status. */
export async function answerTooMany(
  config: ResolvedConfig,
  request: Incoming,
  { type, retryAfter }: TooManyAttempts,
  cookies: readonly SetCookie[],
): Promise<Outgoing> {
  const { origin, headers } = request
  // As `code`, which clients of Auth.js pass on as well.
  const query = { error: type, code: String(retryAfter) }
  const to = pageUrl(config, origin, 'signIn', query)
  if (headers.has('x-auth-return-redirect')) return { ...redirect(to, cookies), retryAfter }
  if (!headers.get('accept')?.includes('text/html')) {
    return { ...json({ error: type, retryAfter }, 429, cookies), retryAfter }
  }
  // A page of the application's own is somewhere else, which a status cannot say as well.
  if (config.pages.signIn) return redirect(to, cookies)
  const { showSignIn } = await import('../flows/show-page.ts')
  // With what was typed, which is in a cookie that is on its way.
  const set = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  const shown = await showSignIn(config, {
    ...request,
    query,
    cookies: { ...request.cookies, ...set },
  })
  if (shown.kind !== 'page') return shown
  return { ...shown, status: 429, retryAfter, cookies: [...cookies, ...shown.cookies] }
}
