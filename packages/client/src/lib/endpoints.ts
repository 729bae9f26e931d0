import { tellProviders } from './page-event.ts'

/** Where the application's endpoints are. */
export interface EndpointsOptions {
  /**
   * The origin, such as `https://example.com`, if it is not the page's. The server must then allow
   * the page's origin.
   */
  baseUrl?: string | undefined
  /** The path. Defaults to `/api/auth`, as with Next.js; with Express, usually `/auth`. */
  basePath?: string | undefined
}

/** Which endpoints functions use. */
export interface AuthClientOptions extends EndpointsOptions {
  /** Whether to use those of the provider on the page instead, if there is one. */
  followsProvider?: boolean | undefined
}

/** Says where the endpoints are, at the moment they are needed. */
export type FindEndpoints = () => string

/** What the addresses of endpoints begin with: `/api/auth`, or a whole URL. */
export function endpointsAt({ baseUrl = '', basePath = '/api/auth' }: EndpointsOptions): string {
  return (baseUrl + basePath).replace(/\/$/, '')
}

/** The endpoints that the provider on this page uses, or else others: the usual ones, if none are given. */
export function endpointsOfPage(others: string = endpointsAt({})): string {
  return tellProviders({}).base ?? others
}

/** Says which endpoints functions use that were made with some options. */
export function findEndpointsBy(options: AuthClientOptions): FindEndpoints {
  const base = endpointsAt(options)
  return options.followsProvider ? () => endpointsOfPage(base) : () => base
}
