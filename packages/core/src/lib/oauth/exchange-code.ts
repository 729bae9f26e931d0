import { lazily } from '../base/awaitable.ts'
import type { TokenSet } from '../base/model.ts'
import { checkAnswer } from './check-answer.ts'
import { clientAuthFor } from './client-auth.ts'
import type { IdTokenClaims } from './openid-tokens.ts'
import type { JsonObject } from './parse-json.ts'
import { callbackError, ProviderFault } from './provider-fault.ts'
import { readTokenResponse, readTokenSet } from './read-token-response.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server, ServerDirectory } from './server.ts'
import type { Transaction } from './transaction.ts'

/** What a code was exchanged for. */
export interface Exchange {
  /** With an `expires_at` of our own, and whatever else the provider sent. */
  readonly tokens: TokenSet
  /** The claims of the id_token, checked. Null for plain OAuth, where an id_token proves nothing. */
  readonly claims: IdTokenClaims | null
}

/**
 * Exchanges the code of an authorization response for tokens and checks them. Rejects with an
 * `OAuthCallbackError`, or an `InvalidCheck` where the answer belongs to another attempt.
 */
export async function exchangeCode(
  provider: ResolvedOAuthProvider,
  /** Everything that came to the callback URL: see {@link callbackParameters}. */
  parameters: URLSearchParams,
  transaction: Transaction,
  servers: ServerDirectory,
  now: number,
): Promise<Exchange> {
  try {
    const server = await servers.serverFor(provider)
    const code = checkAnswer(provider, parameters, transaction, server)
    const body = provider.token.request
      ? await requestByHook(provider, provider.token.request, parameters, transaction, server)
      : await requestTokens(provider, code, transaction, server, now)
    const { tokens, claims } =
      provider.type === 'oidc'
        ? await openId(each => each.checkOpenIdTokens(provider, body, transaction, server, now))
        : { tokens: plainTokens(body), claims: null }
    const iss = parameters.get('iss')
    if (provider.config.issuerFor && iss && claims && iss !== claims.iss) {
      throw new ProviderFault('the response and the id_token name different issuers')
    }
    return { tokens: withExpiry(tokens, now), claims }
  } catch (error) {
    throw callbackError(error, provider.id)
  }
}

/**
 * The parameters of an answer: those of the form where the provider posts one, else those of the
 * query. Never the other, whatever it holds.
 */
export function callbackParameters(
  provider: Pick<ResolvedOAuthProvider, 'formPost'>,
  query: URLSearchParams,
  form: URLSearchParams,
): URLSearchParams {
  return provider.formPost ? form : query
}

const openId = lazily(() => import('./openid-tokens.ts'))

async function requestByHook(
  { config }: ResolvedOAuthProvider,
  request: NonNullable<ResolvedOAuthProvider['token']['request']>,
  parameters: URLSearchParams,
  { redirectUri, codeVerifier }: Transaction,
  { fetch }: Server,
): Promise<JsonObject> {
  const params = Object.fromEntries(parameters)
  return readTokenSet(await request({ provider: config, params, redirectUri, codeVerifier, fetch }))
}

/** RFC 6749 §4.1.3. */
async function requestTokens(
  { token, client, clientFacts }: ResolvedOAuthProvider,
  code: string,
  { redirectUri, codeVerifier }: Transaction,
  { metadata, fetch }: Server,
  now: number,
): Promise<JsonObject> {
  // RFC 8705 §5: another address for those who show a certificate.
  const aliases = client.use_mtls_endpoint_aliases ? metadata.mtls_endpoint_aliases : undefined
  const url = aliases?.token_endpoint ?? metadata.token_endpoint
  if (!url) throw new ProviderFault('the metadata has no token_endpoint')
  const body = new URLSearchParams()
  for (const [name, value] of token.params) body.append(name, value)
  body.set('grant_type', 'authorization_code')
  body.set('code', code)
  body.set('redirect_uri', redirectUri)
  if (codeVerifier !== undefined) body.set('code_verifier', codeVerifier)
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  })
  const authenticate = clientAuthFor(clientFacts, metadata.token_endpoint_auth_methods_supported)
  await authenticate({ metadata, client, body, headers, now })
  const response = await fetch(url, { method: 'POST', headers, body })
  return readTokenResponse((await token.conform?.(response.clone())) ?? response)
}

/** Plain OAuth: an id_token that happens to come along is handed on, but nobody relies on it. */
function plainTokens({ id_token, ...tokens }: JsonObject): TokenSet {
  return typeof id_token === 'string' ? { ...tokens, id_token } : tokens
}

/** A provider's own `expires_at` may be of any unit and by any clock: what counts is how long. */
function withExpiry({ expires_at: _, ...tokens }: TokenSet, now: number): TokenSet {
  const { expires_in } = tokens
  if (!expires_in) return tokens
  return { ...tokens, expires_at: Math.floor(now / 1000) + Math.floor(expires_in) }
}
