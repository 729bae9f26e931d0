/** Where the endpoints of the application are. */
export interface EndpointsOptions {
  /** The origin, such as `https://example.com`, where it is not that of the page. The server must then allow that of the page. */
  baseUrl?: string | undefined
  /** The path. `/api/auth` unless said otherwise, as with Next.js; with Express mostly `/auth`. */
  basePath?: string | undefined
}

/** Which endpoints functions use. */
export interface AuthClientOptions extends EndpointsOptions {
  /** Whether they use those of the provider on their page instead, where there is one. */
  followsProvider?: boolean | undefined
}

/** Says where the endpoints are, at the moment they are needed. */
export type FindEndpoints = () => string

/** What the addresses of endpoints begin with: `/api/auth`, or a whole URL. */
export function endpointsAt({ baseUrl = '', basePath = '/api/auth' }: EndpointsOptions): string {
  return (baseUrl + basePath).replace(/\/$/, '')
}
