import * as oauth from 'oauth4webapi'
import { InvalidCheck } from '../../base/errors.ts'
import type { TokenSet } from '../../base/user.ts'
import type { Transaction } from '../authorization/transaction.ts'
import {
  type IdTokenClaims,
  readUnverifiedClaims,
  verifyIdToken,
} from '../id-token/verify-id-token.ts'
import type { JsonObject } from '../parse-json.ts'
import { clientAt, withoutSecrets } from '../protocol-library.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'

export type { IdTokenClaims }

/** The tokens of an OpenID provider, and who they say has signed in: OIDC Core §3.1.3.7. */
export interface OpenIdTokens {
  readonly tokens: TokenSet
  readonly claims: IdTokenClaims
}

/** Checks what a token endpoint answered, and above all the id_token in it. */
export function checkOpenIdTokens(...args: Parameters<typeof check>): Promise<OpenIdTokens> {
  return withoutSecrets(() => check(...args))
}

async function check(
  provider: ResolvedOAuthProvider,
  body: JsonObject,
  transaction: Transaction,
  server: Server,
  now: number,
): Promise<OpenIdTokens> {
  const client = clientAt(provider.client, now)
  const { id_token } = body
  if (typeof id_token !== 'string') throw new ProviderError('expected an id_token, found none')
  const issuer = issuerOf(provider, id_token, server)
  const response = Response.json(body)
  const tokens = await oauth
    .processAuthorizationCodeResponse({ ...server.metadata, issuer }, client, response, {
      requireIdToken: true,
      expectedNonce: transaction.nonce ?? oauth.expectNoNonce,
      ...(transaction.maxAge === undefined ? {} : { maxAge: transaction.maxAge }),
    })
    .catch(error => {
      throw isNonceError(error) ? nonceError(provider.id) : error
    })
  const claims = await verified(provider, tokens, response, server, now)
  return { tokens: { ...tokens }, claims }
}

/**
 * Checks what a token endpoint answered to a refresh token. It need not send an id_token; one that it sends
 * must be about the same person, for the same client, as the earlier one: OIDC Core §12.2.
 */
export function checkRefreshedTokens(
  ...args: Parameters<typeof checkRefreshed>
): Promise<TokenSet> {
  return withoutSecrets(() => checkRefreshed(...args))
}

async function checkRefreshed(
  provider: ResolvedOAuthProvider,
  body: JsonObject & { readonly id_token: string },
  /** The claims of the id_token that came before, as far as they are known. */
  before: JsonObject,
  server: Server,
  now: number,
): Promise<TokenSet> {
  const { id_token } = body
  const response = Response.json(body)
  const metadata = { ...server.metadata, issuer: issuerOf(provider, id_token, server) }
  const client = clientAt(provider.client, now)
  const tokens = await oauth.processRefreshTokenResponse(metadata, client, response)
  const claims = await verified(provider, tokens, response, server, now)
  for (const name of ['iss', 'sub', 'azp', 'auth_time', 'nonce'] as const) {
    if (before[name] === undefined || claims[name] === undefined) continue
    if (before[name] === claims[name]) continue
    throw new ProviderError('the id_token that was refreshed is not of the same sign-in', {
      claim: name,
    })
  }
  return { ...tokens }
}

/** The issuer that an id_token must name. */
function issuerOf(provider: ResolvedOAuthProvider, idToken: string, server: Server): string {
  const { metadata } = server
  const { issuerFor } = provider.config
  if (!issuerFor) return metadata.issuer
  const claims = readUnverifiedClaims(idToken)
  return issuerFor.call(provider.config, provider.issuer ?? metadata.issuer, claims, server.issuer)
}

async function verified(
  provider: ResolvedOAuthProvider,
  /** As the protocol library answered them, which knows their claims by this very object. */
  tokens: oauth.TokenEndpointResponse,
  response: Response,
  server: Server,
  now: number,
): Promise<IdTokenClaims> {
  const { client, clientFacts } = provider
  const { id_token, access_token } = tokens
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims || id_token === undefined) throw new ProviderError('expected an id_token, found none')
  await verifyIdToken({ id_token, access_token }, claims, {
    response,
    server,
    clientId: client.client_id,
    clientSecret: clientFacts.clientSecret,
    registeredAlg: client.id_token_signed_response_alg,
    // A public client declares it by its method. The value of clientSecret is not a secret then.
    listedAlgs:
      clientFacts.method === 'none'
        ? undefined
        : server.metadata.id_token_signing_alg_values_supported,
    now,
  })
  return claims
}

function isNonceError(error: unknown): boolean {
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
