import * as oauth from 'oauth4webapi'
import { protocolClient } from './protocol-client.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server } from './server.ts'

/** RFC 9126 §5 and §6: whether the server, or the registration of this client, demands it. */
export function mustPushRequest(
  provider: Pick<ResolvedOAuthProvider, 'client'>,
  { metadata }: Pick<Server, 'metadata'>,
): boolean {
  return (
    metadata.require_pushed_authorization_requests === true ||
    provider.client['require_pushed_authorization_requests'] === true
  )
}

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
  const { client, authenticate, options } = protocolClient(provider, server, now)
  const response = await oauth.pushedAuthorizationRequest(
    server.metadata,
    client,
    authenticate,
    request.searchParams,
    options,
  )
  const { request_uri } = await oauth.processPushedAuthorizationResponse(
    server.metadata,
    client,
    response,
  )
  // RFC 6749 §3.1: a query that the endpoint has is kept.
  const url = new URL(server.metadata.authorization_endpoint ?? request.origin + request.pathname)
  url.hash = request.hash
  url.searchParams.set('client_id', client.client_id)
  url.searchParams.set('request_uri', request_uri)
  return url
}
