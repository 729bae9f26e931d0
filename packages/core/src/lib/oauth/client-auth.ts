import * as oauth from 'oauth4webapi'
import type { TokenEndpointHandler } from '../providers/oauth.ts'
import { ProviderFault } from './provider-fault.ts'

/** The facts that decide how a client shows who it is. */
export interface ClientFacts {
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** What the provider calls `client_id`. */
  readonly clientIdParam: string
  /** The configured `token_endpoint_auth_method`. */
  readonly method: string | undefined
  readonly privateKey: TokenEndpointHandler['clientPrivateKey'] | undefined
}

/**
 * How a client authenticates at the token endpoint: exactly one way, per OAuth 2.1 §2.4. Throws a
 * {@link ProviderFault} where the facts do not suffice for the way that is asked for.
 */
export function clientAuthFor(
  facts: ClientFacts,
  supported: readonly string[] | undefined,
): oauth.ClientAuth {
  const method = facts.method ?? defaultMethod(facts, supported)
  const authenticate = authenticationBy(method, facts)
  const { clientIdParam } = facts
  if (clientIdParam === 'client_id') return authenticate
  return async (server, client, body, headers) => {
    await authenticate(server, client, body, headers)
    const id = body.get('client_id')
    if (id === null) return
    body.delete('client_id')
    body.set(clientIdParam, id)
  }
}

/** RFC 6749 §2.3.1: basic, which every server must support, unless this one says that it does not. */
function defaultMethod(
  { clientSecret }: ClientFacts,
  supported: readonly string[] | undefined,
): string {
  const lacksBasic = supported && !supported.includes('client_secret_basic')
  return clientSecret && lacksBasic && supported.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic'
}

function authenticationBy(
  method: string,
  { clientSecret, privateKey }: ClientFacts,
): oauth.ClientAuth {
  if (method === 'none') return oauth.None()
  if (method === 'tls_client_auth' || method === 'self_signed_tls_client_auth') {
    return oauth.TlsClientAuth()
  }
  if (method === 'private_key_jwt') {
    if (!privateKey) throw new ProviderFault('private_key_jwt needs token.clientPrivateKey')
    return oauth.PrivateKeyJwt(privateKey as CryptoKey | oauth.PrivateKey) // undefined kid is absent
  }
  const bySecret = secretMethods.get(method)
  if (!bySecret) throw new ProviderFault(`token_endpoint_auth_method ${method} is not known`)
  if (!clientSecret) {
    throw new ProviderFault(
      `clientSecret is not set; a client without one says token_endpoint_auth_method: 'none'`,
    )
  }
  return bySecret(clientSecret)
}

const secretMethods: ReadonlyMap<string, (clientSecret: string) => oauth.ClientAuth> = new Map([
  ['client_secret_basic', basic],
  ['client_secret_post', oauth.ClientSecretPost],
  ['client_secret_jwt', oauth.ClientSecretJwt],
])

/**
 * RFC 6749 §2.3.1. The protocol library also encodes `-`, `_` and `.`, which is allowed; but many
 * servers do not decode at all, and ids are full of those.
 */
function basic(clientSecret: string): oauth.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set(
      'authorization',
      `Basic ${btoa(`${formEncode(client_id)}:${formEncode(clientSecret)}`)}`,
    )
  }
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}
