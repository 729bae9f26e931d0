import { clientAuthFor } from './client-auth.ts'
import type { RevocableToken } from './logout-hint.ts'
import { ProviderFault } from './provider-fault.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server } from './server.ts'

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
  const { status } = await fetch(endpoint, { method: 'POST', headers, body })
  if (status !== 200) throw new ProviderFault(`the token was not revoked: status ${status}`)
}
