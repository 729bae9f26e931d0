import { InvalidEndpoints, OAuthCallbackError } from '../errors.ts'
import type { TokenSet } from '../model.ts'
import { errorOf, requestJson } from './api-request.ts'
import type { TokenRequestContext } from './oauth.ts'
import { fillTemplates, textOf } from './template.ts'

/**
 * A token request that does not follow RFC 6749. The members are templates over `{clientId}`,
 * `{clientSecret}`, `{redirectUri}`, `{codeVerifier}` and `{callback.…}`; those that cannot be
 * filled are left out.
 */
export interface TokenQuirks {
  /** GET sends the members in the query. */
  readonly method?: 'GET' | 'POST'
  readonly form: Readonly<Record<string, string>>
}

/** Exchanges a code for tokens the way a provider wants to be asked. */
export async function requestTokens(
  { provider, params, redirectUri, codeVerifier, fetch }: TokenRequestContext,
  { method = 'POST', form }: TokenQuirks,
): Promise<TokenSet> {
  const endpoint = typeof provider.token === 'string' ? provider.token : provider.token?.url
  if (!endpoint) throw new InvalidEndpoints(`provider ${provider.id} has no token endpoint`)
  const { clientId, clientSecret } = provider
  const values = { clientId, clientSecret, redirectUri, codeVerifier, callback: params }
  const members = fillTemplates(form, values)
  const url = new URL(endpoint)
  if (method === 'POST') {
    return readTokens(await requestJson(fetch, url, { method, body: new URLSearchParams(members) }))
  }
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value)
  return readTokens(await requestJson(fetch, url))
}

/** A token answer with the liberties that providers take set right. */
function readTokens(body: Record<string, unknown>): TokenSet {
  const { access_token, token_type, expires_in, ...others } = body
  // Some say what went wrong with status 200.
  if (typeof access_token !== 'string' || access_token === '') {
    throw new OAuthCallbackError('the token endpoint sent no access token', {
      cause: errorOf(body),
    })
  }
  const seconds = Number(textOf(expires_in) ?? Number.NaN)
  return {
    ...others,
    access_token,
    // Sound: the value is in lower case.
    token_type: (textOf(token_type) ?? 'bearer').toLowerCase() as Lowercase<string>,
    ...(seconds > 0 ? { expires_in: seconds } : {}),
  }
}
