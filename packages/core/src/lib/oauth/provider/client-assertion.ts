import * as oauth from 'oauth4webapi'
import type { TokenEndpointHandler } from '../../providers/oauth.ts'
import { clientAt, withoutSecrets } from '../protocol-library.ts'

/** A request that is about to be sent, to which a client adds who it is. */
export interface UnsentRequest {
  readonly metadata: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly body: URLSearchParams
  readonly headers: Headers
  /** In milliseconds. */
  readonly now: number
}

/** RFC 7523 §2.2: proves who asks by a token that is signed with the client's own key. */
export function signWithKey(
  privateKey: NonNullable<TokenEndpointHandler['clientPrivateKey']>,
  request: UnsentRequest,
): Promise<void> {
  return sign(oauth.PrivateKeyJwt(privateKey as CryptoKey | oauth.PrivateKey), request) // undefined kid is absent
}

/** The same with the secret. */
export function signWithSecret(clientSecret: string, request: UnsentRequest): Promise<void> {
  return sign(oauth.ClientSecretJwt(clientSecret), request)
}

function sign(
  authenticate: oauth.ClientAuth,
  { metadata, client, body, headers, now }: UnsentRequest,
): Promise<void> {
  return withoutSecrets(async () => authenticate(metadata, clientAt(client, now), body, headers))
}
