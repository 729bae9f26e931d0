import { parseEnteredAddress } from '../../base/email-address.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type OutgoingRedirect, redirect } from '../../http/response.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { isStorable, rememberAddress } from '../cookies/form-values.ts'
import { type EmailFirstMethod, emailFirstMethods } from '../provider/email-first-methods.ts'
import { pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { chooseReturn, rememberReturn } from '../request/return-url.ts'

/**
 * `POST signin` if the visitor has yet to choose how to sign in. A visitor who has entered an address continues to
 * the methods, which are the same for every address: no user is looked up.
 */
export async function toSignInPage(
  config: ResolvedConfig,
  request: Incoming,
  provider?: ProviderObject,
): Promise<OutgoingRedirect> {
  const callbackUrl = await chooseReturn(config, request)
  const cookies = rememberReturn(config, request, callbackUrl)
  // Ours reads the cookie; the application's own page may only know the parameter.
  const params = config.pages.signIn ? { callbackUrl } : {}
  const { email } = request.body
  const methods = emailFirstMethods(config)
  const isStep = !provider && !config.pages.signIn && methods.length > 0
  if (!isStep || email === undefined) {
    return redirect(pageUrl(config, request.origin, 'signIn', params), cookies)
  }
  const error = isAddress(email, methods) ? null : 'EmailSignInError'
  const next = error === null ? { step: '2' } : { error }
  return redirect(pageUrl(config, request.origin, 'signIn', next), [
    ...cookies,
    ...(await rememberAddress(config, request, error)),
  ])
}

/** Whether one of the methods may accept it. Only the application's own function can tell what an address is. */
function isAddress(input: unknown, methods: readonly EmailFirstMethod[]): boolean {
  if (!isStorable(input) || input.trim() === '') return false
  const isNormalizedByProvider = methods.some(
    method => method.type === 'email' && method.normalizeIdentifier,
  )
  return isNormalizedByProvider || parseEnteredAddress(input) !== null
}
