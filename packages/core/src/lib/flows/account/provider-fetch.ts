import { AccessTokenError, InvalidRequest } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { followRedirects, isUsedUp } from '../../oauth/follow-redirects.ts'
import { isSecureUrl, parseUrl } from '../../oauth/secure-url.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import { asFailure, Failure } from '../request/failure.ts'
import type { Incoming } from '../request/incoming.ts'
import { type AccessTokenOptions, type FreshTokens, freshTokens } from './get-access-token.ts'

/** A request to a provider's API. */
export interface ProviderRequest {
  readonly provider: string
  readonly url: string | URL
  readonly init?: RequestInit | undefined
  readonly options?: AccessTokenOptions | undefined
}

/** Its response, and the cookies that store a new token. */
export interface ProviderFetchResult {
  readonly response: Response
  readonly cookies: readonly SetCookie[]
}

/**
 * Calls a provider's API with the token of the user who is signed in. If the provider rejects the token, it is
 * replaced and the request sent again, if it can be sent again.
 */
export async function providerFetch(
  config: ResolvedConfig,
  request: Incoming,
  { provider, url, init, options }: ProviderRequest,
  cookieOptions: { readonly canSetCookies: boolean },
): Promise<ProviderFetchResult> {
  const first = await freshTokens(config, request, provider, options ?? {}, cookieOptions)
  // The call above has seen that there is one.
  const configured = config.providers.get(provider) as OAuthConfig<Profile>
  const { resolve, servers } = oauthRuntime(config)
  const resolved = resolve(configured)
  const { fetch = config.ports.fetch, allowInsecureRequests } = resolved
  const target = parseUrl(String(url))
  // `https://api.example.com@evil.example` is at evil.example.
  const isPlain = target?.username === '' && target.password === ''
  if (!target || !isPlain || !isSecureUrl(target, { allowInsecure: allowInsecureRequests })) {
    throw new InvalidRequest(
      'accounts.fetch: expected an https URL without a user name. Others could read the token.',
    )
  }
  const send = ({ tokens: { access_token = '', token_type, dpop_key } }: FreshTokens) =>
    followRedirects(target, init ?? {}, async (to, given, { withToken }) => {
      if (!withToken) return fetch(to, given)
      if (token_type === 'dpop' && dpop_key) {
        const { fetchWithProof, openDpopKey } = await import('../../oauth/token/dpop.ts')
        const key = await openDpopKey(dpop_key, resolved.client, servers, config.ports.now())
        return fetchWithProof(key, access_token, to, given, fetch)
      }
      const headers = new Headers(given.headers)
      headers.set('authorization', `Bearer ${access_token}`)
      return fetch(to, { ...given, headers })
    })
  const { response, hadToken } = await send(first)
  const isRejected = response.status === 401 && hadToken
  if (!isRejected || isUsedUp(init?.body)) return { response, cookies: first.cookies }
  const rejectedToken = first.tokens.access_token
  const second = await freshTokens(
    config,
    request,
    provider,
    { ...options, rejectedToken },
    cookieOptions,
  ).catch(asFailure)
  if (second instanceof Failure) {
    if (!(second.reason instanceof AccessTokenError)) throw second
    // There is no other token: the caller sees the provider's response, and the browser stores the result of the
    // attempt.
    return { response, cookies: [...first.cookies, ...second.cookies] }
  }
  await response.body?.cancel()
  const repeated = await send(second)
  return { response: repeated.response, cookies: second.cookies }
}
