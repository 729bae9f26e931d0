import { clientAuthFor } from '../provider/client-auth.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'
import type { RevocableToken } from './revocable-token.ts'

/** Has a token revoked: RFC 7009. Rejects where the server does not say that it did. */
export async function revokeToken(
  { client, clientFacts }: Pick<ResolvedOAuthProvider, 'client' | 'clientFacts'>,
  { metadata, fetch }: Pick<Server, 'metadata' | 'fetch'>,
  endpoint: string,
  token: RevocableToken,
  now: number,
): Promise<void> {
  const body = new URLSearchParams({ token: token.value, token_type_hint: token.kind })
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  })
  const supported =
    metadata.revocation_endpoint_auth_methods_supported ??
    metadata.token_endpoint_auth_methods_supported
  await clientAuthFor(clientFacts, supported)({ metadata, client, body, headers, now })
  const { ok, status } = await fetch(endpoint, { method: 'POST', headers, body })
  // RFC 7009 §2.2 has 200. Reddit answers 204.
  if (!ok) throw new ProviderError(`the token was not revoked: status ${status}`)
}
