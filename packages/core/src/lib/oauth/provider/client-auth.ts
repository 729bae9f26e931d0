import type { Awaitable } from '../../base/awaitable.ts'
import { lazily } from '../../base/awaitable.ts'
import type { TokenEndpointHandler } from '../../providers/oauth.ts'
import { ProviderError } from '../provider-error.ts'
import type { UnsentRequest } from './client-assertion.ts'

/** The facts that decide how a client shows who it is. */
export interface ClientFacts {
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** The provider's name for `client_id`. */
  readonly clientIdParam: string
  /** The configured `token_endpoint_auth_method`. */
  readonly method: string | undefined
  readonly privateKey: TokenEndpointHandler['clientPrivateKey'] | undefined
}

/** Adds to a request who sends it. */
export type Authenticate = (request: UnsentRequest) => Awaitable<void>

/**
 * How a client authenticates at the token endpoint: exactly one way, per OAuth 2.1 §2.4. Throws a
 * {@link ProviderError} where the facts do not suffice for the way that is asked for.
 */
export function clientAuthFor(
  facts: ClientFacts,
  supported: readonly string[] | undefined,
): Authenticate {
  const method = facts.method ?? defaultMethod(facts, supported)
  const authenticate = authenticationBy(method, facts)
  const { clientIdParam } = facts
  if (clientIdParam === 'client_id') return authenticate
  return async request => {
    await authenticate(request)
    const { body } = request
    const id = body.get('client_id')
    if (id === null) return
    body.delete('client_id')
    body.set(clientIdParam, id)
  }
}

/** RFC 6749 §2.3.1: basic, which every server must support, unless this one states that it does not. */
function defaultMethod(
  { clientSecret }: ClientFacts,
  supported: readonly string[] | undefined,
): string {
  const lacksBasic = supported && !supported.includes('client_secret_basic')
  return clientSecret && lacksBasic && supported.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic'
}

function authenticationBy(method: string, { clientSecret, privateKey }: ClientFacts): Authenticate {
  if (publicMethods.includes(method)) return byName
  if (method === 'private_key_jwt') {
    if (!privateKey) throw new ProviderError('private_key_jwt needs token.clientPrivateKey')
    return request => assertions(({ signWithKey }) => signWithKey(privateKey, request))
  }
  const bySecret = secretMethods.get(method)
  if (!bySecret) throw new ProviderError(`token_endpoint_auth_method ${method} is unknown`)
  if (!clientSecret) {
    throw new ProviderError(
      `clientSecret is not set; a client without one needs token_endpoint_auth_method: 'none'`,
    )
  }
  return request => bySecret(clientSecret, request)
}

const assertions = lazily(() => import('./client-assertion.ts'))

/** Nothing to prove it by, or RFC 8705: the certificate of the connection, which the platform has. */
const publicMethods: readonly string[] = ['none', 'tls_client_auth', 'self_signed_tls_client_auth']

function byName({ client, body }: UnsentRequest): void {
  body.set('client_id', client.client_id)
}

type SecretMethod = (clientSecret: string, request: UnsentRequest) => Awaitable<void>

const secretMethods: ReadonlyMap<string, SecretMethod> = new Map<string, SecretMethod>([
  ['client_secret_basic', inHeader],
  ['client_secret_post', inBody],
  ['client_secret_jwt', (...all) => assertions(({ signWithSecret }) => signWithSecret(...all))],
])

function inBody(clientSecret: string, request: UnsentRequest): void {
  byName(request)
  request.body.set('client_secret', clientSecret)
}

/**
 * RFC 6749 §2.3.1. Only what has to be is encoded: many servers do not decode at all, and ids are full
 * of `-`, `_` and `.`.
 */
function inHeader(clientSecret: string, { client, headers }: UnsentRequest): void {
  const words = `${formEncode(client.client_id)}:${formEncode(clientSecret)}`
  headers.set('authorization', `Basic ${btoa(words)}`)
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}
