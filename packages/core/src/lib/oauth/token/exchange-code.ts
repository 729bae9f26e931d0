import { lazily } from '../../base/awaitable.ts'
import type { TokenSet } from '../../base/user.ts'
import type { Transaction } from '../authorization/transaction.ts'
import type { JsonObject } from '../parse-json.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server, ServerDirectory } from '../provider/server.ts'
import { callbackError, ProviderError } from '../provider-error.ts'
import { checkCallback } from './check-callback.ts'
import type { DpopKey } from './dpop.ts'
import type { IdTokenClaims } from './openid-tokens.ts'
import { readTokenSet } from './read-token-response.ts'
import { askTokenEndpoint } from './request-token.ts'
import { withExpiry } from './token-expiry.ts'

/** The result of exchanging a code. */
export interface Exchange {
  /** With an `expires_at` of our own, and whatever else the provider sent. */
  readonly tokens: TokenSet
  /** The claims of the id_token, checked. Null for plain OAuth, where an id_token proves nothing. */
  readonly claims: IdTokenClaims | null
  /** That the tokens are bound to, where the provider wants it. */
  readonly key?: DpopKey | undefined
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
    const code = checkCallback(provider, parameters, transaction, server)
    const key = provider.dpop
      ? await dpop(each => each.createDpopKey(provider.client, now))
      : undefined
    const body = provider.token.request
      ? await requestByHook(provider, provider.token.request, parameters, transaction, server)
      : await askTokenEndpoint(provider, codeGrant(code, transaction), server, now, key)
    const { tokens, claims } =
      provider.type === 'oidc'
        ? await openId(each => each.checkOpenIdTokens(provider, body, transaction, server, now))
        : { tokens: plainTokens(body), claims: null }
    const iss = parameters.get('iss')
    if (provider.config.issuerFor && iss && claims && iss !== claims.iss) {
      throw new ProviderError('the response and the id_token name different issuers')
    }
    return { tokens: withExpiry(tokens, now), claims, key }
  } catch (error) {
    throw callbackError(error, provider.id)
  }
}

/**
 * The parameters of a response: those of the form if the provider posts one, otherwise those of the query. Never
 * both.
 */
export function callbackParameters(
  provider: Pick<ResolvedOAuthProvider, 'formPost'>,
  query: URLSearchParams,
  form: URLSearchParams,
): URLSearchParams {
  return provider.formPost ? form : query
}

const dpop = lazily(() => import('./dpop.ts'))
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

function codeGrant(code: string, { redirectUri, codeVerifier }: Transaction) {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  }
}

/** Plain OAuth: an id_token that happens to arrive is passed on, but nothing relies on it. */
export function plainTokens({ id_token, ...tokens }: JsonObject): TokenSet {
  return typeof id_token === 'string' ? { ...tokens, id_token } : tokens
}
