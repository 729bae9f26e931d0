import { pageUrl } from '@siteauth/core/integration'
import { addressedBy, originOf } from './addressed.ts'
import { type OwnRequest, ownCall } from './own-call.ts'
import { returnTo } from './return-to.ts'
import type { AuthorizationParams, SignInOptions } from './sign-in-options.ts'

export { ownRequest } from './own-call.ts'

/** Starts to sign somebody in, and answers where they have to go next. */
export async function startSignIn(
  own: OwnRequest,
  provider: string | undefined,
  { redirect: _, redirectTo, ...fields }: SignInOptions,
  authorizationParams: AuthorizationParams,
): Promise<string> {
  const callbackUrl = returnTo(own, redirectTo ?? fields['callbackUrl'])
  const { providers, pages, paths } = own.config
  const type = provider === undefined ? undefined : providers.get(provider)?.type
  if (provider === undefined || type === undefined || type === 'webauthn') {
    const origin = originOf(own.resolution, addressedBy(own.current.headers))
    if (origin !== undefined) return pageUrl({ pages, paths }, origin, 'signIn', { callbackUrl })
  }
  const query = new URLSearchParams(authorizationParams).toString()
  const action = type === 'credentials' ? 'callback' : 'signin'
  const path = provider === undefined ? action : `${action}/${encodeURIComponent(provider)}`
  const answer = await ownCall(own, query ? `${path}?${query}` : path, { ...fields, callbackUrl })
  if (answer.kind !== 'redirect') throw new TypeError(`POST ${path} must end in a redirect`)
  return answer.to
}
