import * as oauth from 'oauth4webapi'
import { USER_AGENT } from '../bounded-fetch.ts'
import { clientAt, withoutSecrets } from '../protocol-library.ts'
import { clientAuthFor } from '../provider/client-auth.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'

/**
 * RFC 9126: hands the parameters of an authorization request to the server directly, and answers
 * the URL that refers to them.
 */
export async function pushRequest(
  provider: Pick<ResolvedOAuthProvider, 'client' | 'clientFacts'>,
  server: Server,
  request: URL,
  now: number,
): Promise<URL> {
  const request_uri = await withoutSecrets(() => push(provider, server, request, now))
  // RFC 6749 §3.1: a query that the endpoint has is kept.
  const url = new URL(server.metadata.authorization_endpoint ?? request.origin + request.pathname)
  url.hash = request.hash
  url.searchParams.set('client_id', provider.client.client_id)
  url.searchParams.set('request_uri', request_uri)
  return url
}

async function push(
  provider: Pick<ResolvedOAuthProvider, 'client' | 'clientFacts'>,
  server: Server,
  request: URL,
  now: number,
): Promise<string> {
  const { metadata } = server
  const client = clientAt(provider.client, now)
  const { token_endpoint_auth_methods_supported: supported } = metadata
  const authenticate = clientAuthFor(provider.clientFacts, supported)
  const response = await oauth.pushedAuthorizationRequest(
    metadata,
    client,
    async (_metadata, _client, body, headers) =>
      authenticate({ metadata, client: provider.client, body, headers, now }),
    request.searchParams,
    {
      headers: { 'user-agent': USER_AGENT },
      // Sound: all that is sent is a form.
      [oauth.customFetch]: (url, init) => server.fetch(url, init as RequestInit),
      // Not to be mistaken: `fetch` demands TLS itself, and knows which exceptions were made.
      [oauth.allowInsecureRequests]: true,
    },
  )
  const pushed = await oauth.processPushedAuthorizationResponse(metadata, client, response)
  return pushed.request_uri
}
