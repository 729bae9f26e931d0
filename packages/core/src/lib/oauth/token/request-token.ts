import { lazily } from '../../base/awaitable.ts'
import type { JsonObject } from '../parse-json.ts'
import { clientAuthFor } from '../provider/client-auth.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'
import { ProviderError } from '../provider-error.ts'
import type { DpopKey } from './dpop.ts'
import { readTokenResponse } from './read-token-response.ts'

/** Sends a grant to a token endpoint, with who sends it: RFC 6749 §4.1.3 and §6. */
export async function askTokenEndpoint(
  provider: ResolvedOAuthProvider,
  grant: Readonly<Record<string, string | undefined>>,
  server: Server,
  now: number,
  /** That the tokens are to be bound to, where the provider wants it. */
  key?: DpopKey,
): Promise<JsonObject> {
  const { token, client, clientFacts } = provider
  const { metadata, fetch } = server
  // RFC 8705 §5: another address for those who show a certificate.
  const aliases = client.use_mtls_endpoint_aliases ? metadata.mtls_endpoint_aliases : undefined
  const url = aliases?.token_endpoint ?? metadata.token_endpoint
  if (!url) throw new ProviderError('the metadata has no token_endpoint')
  const body = new URLSearchParams()
  for (const [name, value] of token.params) body.append(name, value)
  for (const [name, value] of Object.entries(grant)) if (value !== undefined) body.set(name, value)
  if (key) {
    const response = await dpop(each => each.askWithProof(provider, server, body, now, key))
    const tokens = await readTokenResponse((await token.conform?.(response.clone())) ?? response)
    await dpop(({ assertBound }) => assertBound(tokens['token_type']))
    return tokens
  }
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  })
  const authenticate = clientAuthFor(clientFacts, metadata.token_endpoint_auth_methods_supported)
  await authenticate({ metadata, client, body, headers, now })
  const response = await fetch(url, { method: 'POST', headers, body })
  return readTokenResponse((await token.conform?.(response.clone())) ?? response)
}

const dpop = lazily(() => import('./dpop.ts'))
