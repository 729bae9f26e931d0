import type * as oauth from 'oauth4webapi'
import type { Profile } from '../../base/user.ts'
import { providerVariable } from '../../providers/complete-provider.ts'
import type { OAuthConfig, TokenEndpointHandler } from '../../providers/oauth.ts'
import { ProviderError } from '../provider-error.ts'
import { type ClientFacts, clientAuthFor } from './client-auth.ts'
import { handlerOf } from './endpoints.ts'

/** The id of the application at a provider. Throws if it is not set. */
export function requireClientId({ id, clientId }: OAuthConfig<Profile>): string {
  if (clientId) return clientId
  const variable = providerVariable(id, 'ID')
  throw new ProviderError(`clientId is not set: set ${variable}, or pass it`)
}

/** The application as a client of a provider: for the protocol library, and for its own authentication. */
export function resolveClient(
  config: OAuthConfig<Profile>,
  clientId: string,
): { readonly client: oauth.Client; readonly clientFacts: ClientFacts } {
  const token: TokenEndpointHandler = handlerOf(config.token)
  const clientFacts: ClientFacts = Object.freeze({
    clientId,
    clientSecret: config.clientSecret || undefined,
    clientIdParam: config.clientIdParam ?? 'client_id',
    method: config.client?.token_endpoint_auth_method,
    privateKey: token.clientPrivateKey,
  })
  // For its faults alone: an unknown method, a secret or a key that is missing.
  if (!token.request) clientAuthFor(clientFacts, undefined)
  // Sound: of its members that are not JSON, the protocol library reads only its own symbols.
  const client = Object.freeze({ ...config.client, client_id: clientId } as oauth.Client)
  return { client, clientFacts }
}
