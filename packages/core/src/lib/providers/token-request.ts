import { InvalidEndpoints } from '../base/errors.ts'
import type { TokenSet } from '../base/model.ts'
import { requestJson } from './api-request.ts'
import type { TokenRequestContext } from './oauth.ts'
import { fillTemplates } from './template.ts'

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

/**
 * Exchanges a code for tokens the way a provider wants to be asked. What it answers is checked and
 * set right by the engine, like any answer of a token endpoint.
 */
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
    return requestJson(fetch, url, { method, body: new URLSearchParams(members) })
  }
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value)
  return requestJson(fetch, url)
}
