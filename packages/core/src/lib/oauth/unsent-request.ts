import type * as oauth from 'oauth4webapi'

/** A request that is about to be sent, to which a client adds who it is. */
export interface UnsentRequest {
  readonly metadata: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly body: URLSearchParams
  readonly headers: Headers
  /** In milliseconds. */
  readonly now: number
}
