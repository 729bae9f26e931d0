import type { ResolvedConfig } from '../config/resolved.ts'
import { type RedirectAnswer, redirect } from '../http/outgoing.ts'
import { chooseReturn, rememberReturn } from '../steps/choose-redirect.ts'
import type { Incoming } from '../steps/incoming.ts'
import { pageUrl } from '../steps/page-url.ts'

/** `POST signin` where the visitor has yet to say how to sign in. */
export async function toSignInPage(
  config: ResolvedConfig,
  request: Incoming,
): Promise<RedirectAnswer> {
  const callbackUrl = await chooseReturn(config, request)
  // Ours reads the cookie; the application's own page may only know the parameter.
  const params = config.pages.signIn ? { callbackUrl } : {}
  const cookies = rememberReturn(config, request, callbackUrl)
  return redirect(pageUrl(config, request.origin, 'signIn', params), cookies)
}
