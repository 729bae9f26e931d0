import * as oauth from 'oauth4webapi'
import { USER_AGENT } from './bounded-fetch.ts'
import { clientAuthFor } from './client-auth.ts'
import type { ResolvedOAuthProvider } from './resolve-provider.ts'
import type { Server } from './server.ts'

/** What every call of the protocol library needs. */
export interface ProtocolClient {
  readonly client: oauth.Client
  readonly authenticate: oauth.ClientAuth
  readonly options: {
    readonly headers: Record<string, string>
    readonly [oauth.customFetch]: (
      url: string,
      init: oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>,
    ) => Promise<Response>
    readonly [oauth.allowInsecureRequests]: true
  }
}

/** This application as a client of a server, at a time in milliseconds. */
export function protocolClient(
  provider: Pick<ResolvedOAuthProvider, 'client' | 'clientFacts'>,
  { metadata, fetch }: Server,
  now: number,
): ProtocolClient {
  const { token_endpoint_auth_methods_supported: supported } = metadata
  const skew = provider.client[oauth.clockSkew] ?? 0
  return {
    // The library reads the clock itself; what our clock says reaches it as the difference.
    client: {
      ...provider.client,
      [oauth.clockSkew]: skew + Math.floor(now / 1000) - Math.floor(Date.now() / 1000),
    },
    // A hook that replaces the token request also authenticates.
    authenticate: (...request) => clientAuthFor(provider.clientFacts, supported)(...request),
    options: {
      headers: { 'user-agent': USER_AGENT },
      [oauth.customFetch]: (url, { body, ...init }) =>
        // Sound: all that is ever sent is a form.
        fetch(url, body ? { ...init, body: body as BodyInit } : init),
      // Not to be mistaken: `fetch` demands TLS itself, and knows which exceptions were made.
      [oauth.allowInsecureRequests]: true,
    },
  }
}
