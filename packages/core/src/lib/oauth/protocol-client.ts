import * as oauth from 'oauth4webapi'
import { USER_AGENT } from './bounded-fetch.ts'
import type { Server } from './server.ts'

/** What the calls of the protocol library that ask a server need. */
export interface ProtocolOptions {
  readonly headers: Record<string, string>
  readonly [oauth.customFetch]: (
    url: string,
    init: oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>,
  ) => Promise<Response>
  readonly [oauth.allowInsecureRequests]: true
}

export function protocolOptions({ fetch }: Pick<Server, 'fetch'>): ProtocolOptions {
  return {
    headers: { 'user-agent': USER_AGENT },
    [oauth.customFetch]: (url, { body, ...init }) =>
      // Sound: all that is ever sent is a form.
      fetch(url, body ? { ...init, body: body as BodyInit } : init),
    // Not to be mistaken: `fetch` demands TLS itself, and knows which exceptions were made.
    [oauth.allowInsecureRequests]: true,
  }
}

/**
 * A client at a time in milliseconds. The library reads the clock itself; what our clock says reaches it
 * as the difference.
 */
export function clientAt(client: oauth.Client, now: number): oauth.Client {
  const skew = client[oauth.clockSkew] ?? 0
  return {
    ...client,
    [oauth.clockSkew]: skew + Math.floor(now / 1000) - Math.floor(Date.now() / 1000),
  }
}
