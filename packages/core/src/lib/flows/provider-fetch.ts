import { InvalidRequest } from '../base/errors.ts'
import type { Profile } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import type { SetCookie } from '../http/cookies.ts'
import { isSecureUrl, parseUrl } from '../oauth/secure-url.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { Incoming } from '../steps/incoming.ts'
import { oauthRuntime } from '../steps/oauth-runtime.ts'
import { type AccessTokenWish, type FreshTokens, freshTokens } from './access-token.ts'

/** What is asked of a provider's API. */
export interface ProviderRequest {
  readonly provider: string
  readonly url: string | URL
  readonly init?: RequestInit | undefined
  readonly wish?: AccessTokenWish | undefined
}

/** What it answered, and the cookies that keep what came with a new token. */
export interface ProviderFetchAnswer {
  readonly response: Response
  readonly cookies: readonly SetCookie[]
}

/**
 * Asks a provider's API with the token of whoever is signed in. A token that it refuses is replaced, and it
 * is asked once more, if what was sent can be sent again.
 */
export async function providerFetch(
  config: ResolvedConfig,
  request: Incoming,
  { provider, url, init, wish }: ProviderRequest,
  how: { readonly canSetCookies: boolean },
): Promise<ProviderFetchAnswer> {
  const first = await freshTokens(config, request, provider, wish ?? {}, how)
  // The call above has seen that there is one.
  const configured = config.providers.get(provider) as OAuthConfig<Profile>
  const resolved = oauthRuntime(config).resolve(configured)
  const { fetch = config.ports.fetch, allowInsecureRequests } = resolved
  const target = parseUrl(String(url))
  if (!target || !isSecureUrl(target, { allowInsecure: allowInsecureRequests })) {
    throw new InvalidRequest(
      'providerFetch: expected an https URL. The token would be readable on the way.',
    )
  }
  const send = async ({ tokens: { access_token = '', token_type, dpop_key } }: FreshTokens) => {
    if (token_type === 'dpop' && dpop_key) {
      const { fetchWithProof, openDpopKey } = await import('../oauth/dpop.ts')
      const key = await openDpopKey(dpop_key, resolved.client, config.ports.now())
      return fetchWithProof(key, access_token, target, init ?? {}, fetch)
    }
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${access_token}`)
    return fetch(target, { ...init, headers })
  }
  const response = await send(first)
  const isRepeatable = !(init?.body instanceof ReadableStream)
  if (response.status !== 401 || !isRepeatable) return { response, cookies: first.cookies }
  const refused = first.tokens.access_token
  const second = await freshTokens(config, request, provider, { ...wish, refused }, how).catch(
    () => null,
  )
  // Where there is no other token, the caller sees what the provider says.
  if (!second) return { response, cookies: first.cookies }
  await response.body?.cancel()
  return { response: await send(second), cookies: second.cookies }
}
