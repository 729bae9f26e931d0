import * as oauth from 'oauth4webapi'
import { InvalidCheck } from '../base/errors.ts'
import type { TokenSet } from '../base/model.ts'
import type { JsonObject } from './parse-json.ts'
import { clientAt, withoutSecrets } from './protocol-library.ts'
import { ProviderFault } from './provider-fault.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server } from './server.ts'
import type { Transaction } from './transaction.ts'
import { type IdTokenClaims, readUnverifiedClaims, verifyIdToken } from './verify-id-token.ts'

export type { IdTokenClaims }

/** The tokens of an OpenID provider, and who they say has signed in: OIDC Core §3.1.3.7. */
export interface OpenIdTokens {
  readonly tokens: TokenSet
  readonly claims: IdTokenClaims
}

/** Checks what a token endpoint answered, and above all the id_token in it. */
export function checkOpenIdTokens(...answer: Parameters<typeof check>): Promise<OpenIdTokens> {
  return withoutSecrets(() => check(...answer))
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
    // A public client says so by its method. Whatever stands in clientSecret is no secret then.
    listedAlgs:
      provider.clientFacts.method === 'none'
        ? undefined
        : server.metadata.id_token_signing_alg_values_supported,
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
