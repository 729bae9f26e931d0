import * as oauth from 'oauth4webapi'
import { InvalidCheck, OAuthCallbackError } from '../errors.ts'
import type { TokenSet } from '../model.ts'
import type { JsonObject } from './parse-json.ts'
import { type ProtocolClient, protocolClient } from './protocol-client.ts'
import { callbackError, ProviderFault, readable } from './provider-fault.ts'
import { readTokenResponse, readTokenSet } from './read-token-response.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import { parseUrl } from './secure-url.ts'
import type { Server, ServerDirectory } from './server.ts'
import type { Transaction } from './transaction.ts'
import { type IdTokenClaims, readUnverifiedClaims, verifyIdToken } from './verify-id-token.ts'

/** What a code was exchanged for. */
export interface Exchange {
  /** With `expires_at`, and whatever else the provider sent. */
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
    const client = protocolClient(provider, server, now)
    const answer = checkAnswer(provider, parameters, transaction, server, client)
    const body = await requestTokens(provider, answer, transaction, server, client)
    const { tokens, claims } =
      provider.type === 'oidc'
        ? await checkOpenIdTokens(provider, body, transaction, server, client, now)
        : { tokens: await checkTokens(body, server, client), claims: null }
    const iss = parameters.get('iss')
    if (provider.config.issuerFor && iss && claims && iss !== claims.iss) {
      throw new ProviderFault('the answer and the id_token name different issuers')
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

const NOT_ASKED_FOR = ['access_token', 'id_token', 'token', 'response']

// RFC 6749 §3.1: none may come twice. Which of two would the server have meant?
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

function checkAnswer(
  provider: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  transaction: Transaction,
  server: Server,
  { client }: ProtocolClient,
): URLSearchParams {
  const repeated = RESPONSE_PARAMETERS.find(name => parameters.getAll(name).length > 1)
  if (repeated) throw new ProviderFault(`the answer has ${repeated} more than once`)
  // RFC 9700 §2.1.2: no token is taken from a URL; and what was not asked for is not taken at all.
  const foreign = NOT_ASKED_FOR.find(name => parameters.has(name))
  if (foreign) throw new ProviderFault(`expected a code in the answer, found ${foreign}`)
  try {
    return oauth.validateAuthResponse(
      server.metadata,
      client,
      checkIssuer(provider, parameters, server),
      transaction.state ?? oauth.skipStateCheck,
    )
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error
    // The provider's own words, for the log alone: anybody can write them into a URL.
    const cause = {
      provider: provider.id,
      error: readable(error.error),
      error_description: readable(error.error_description),
    }
    const message = `${JSON.stringify(provider.id)} answered with the error ${cause.error}.`
    throw new OAuthCallbackError(message, { cause })
  }
}

/**
 * RFC 9207 §2.4 is checked by the protocol library, except in two cases: when nobody knows the
 * issuer, and when it depends on who signed in, so that it can only be compared afterwards.
 */
function checkIssuer(
  { config, issuer }: ResolvedOAuthProvider,
  parameters: URLSearchParams,
  server: Server,
): URLSearchParams {
  const iss = parameters.get('iss')
  if (iss === null || (server.issuer !== undefined && !config.issuerFor)) return parameters
  if (config.issuerFor && parseUrl(iss)?.origin !== parseUrl(issuer ?? iss)?.origin) {
    throw new ProviderFault('the answer is of another issuer', { found: readable(iss) })
  }
  const others = new URLSearchParams(parameters)
  if (server.metadata.authorization_response_iss_parameter_supported) {
    others.set('iss', server.metadata.issuer)
  } else {
    others.delete('iss')
  }
  return others
}

async function requestTokens(
  provider: ResolvedOAuthProvider,
  answer: URLSearchParams,
  { redirectUri, codeVerifier }: Transaction,
  server: Server,
  { client, authenticate, options }: ProtocolClient,
): Promise<JsonObject> {
  const { token } = provider
  if (!answer.get('code')) throw new ProviderFault('expected a code in the answer, found none')
  if (token.request) {
    const tokens = await token.request({
      provider: provider.config,
      params: Object.fromEntries(answer),
      redirectUri,
      codeVerifier,
      fetch: server.fetch,
    })
    return readTokenSet(tokens)
  }
  const additionalParameters = new URLSearchParams()
  for (const [name, value] of token.params) additionalParameters.append(name, value)
  const response = await oauth.authorizationCodeGrantRequest(
    server.metadata,
    client,
    authenticate,
    answer,
    redirectUri,
    codeVerifier ?? oauth.nopkce,
    { ...options, additionalParameters },
  )
  return readTokenResponse((await token.conform?.(response.clone())) ?? response)
}

/** Plain OAuth: an id_token that happens to come along is handed on, but nobody relies on it. */
async function checkTokens(
  { id_token, ...body }: JsonObject,
  { metadata }: Server,
  { client }: ProtocolClient,
): Promise<TokenSet> {
  const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, Response.json(body))
  return typeof id_token === 'string' ? { ...tokens, id_token } : { ...tokens }
}

async function checkOpenIdTokens(
  provider: ResolvedOAuthProvider,
  body: JsonObject,
  transaction: Transaction,
  server: Server,
  { client }: ProtocolClient,
  now: number,
): Promise<{ tokens: TokenSet; claims: IdTokenClaims }> {
  const { id_token } = body
  if (typeof id_token !== 'string') throw new ProviderFault('expected an id_token, found none')
  const { issuerFor } = provider.config
  const issuer = issuerFor
    ? issuerFor.call(
        provider.config,
        provider.issuer ?? server.metadata.issuer,
        readUnverifiedClaims(id_token),
      )
    : server.metadata.issuer
  const response = Response.json(body)
  const tokens = await oauth
    .processAuthorizationCodeResponse({ ...server.metadata, issuer }, client, response, {
      requireIdToken: true,
      expectedNonce: transaction.nonce ?? oauth.expectNoNonce,
      ...(transaction.maxAge === undefined ? {} : { maxAge: transaction.maxAge }),
    })
    .catch(error => {
      throw isNonceFault(error) ? nonceError(provider.id) : error
    })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw new ProviderFault('expected an id_token, found none')
  const { access_token } = tokens
  await verifyIdToken({ id_token, access_token }, claims, {
    response,
    server,
    clientId: client.client_id,
    clientSecret: provider.clientFacts.clientSecret,
    registeredAlg: client.id_token_signed_response_alg,
    now,
  })
  return { tokens: { ...tokens }, claims }
}

function isNonceFault(error: unknown): boolean {
  if (!(error instanceof oauth.OperationProcessingError)) return false
  const { claim } = (error.cause ?? {}) as { claim?: unknown }
  return claim === 'nonce' || error.message.includes('"nonce"')
}

function nonceError(provider: string): InvalidCheck {
  return new InvalidCheck(
    `The id_token from ${JSON.stringify(provider)} does not carry the nonce of this sign-in.`,
    { cause: { provider } },
  )
}

function withExpiry(tokens: TokenSet, now: number): TokenSet {
  const { expires_in } = tokens
  if (!expires_in) return tokens
  return { ...tokens, expires_at: Math.floor(now / 1000) + Math.floor(expires_in) }
}
