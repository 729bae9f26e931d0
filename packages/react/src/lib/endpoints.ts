import { tellProviders } from './page-event.ts'

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

/** The endpoints that the provider on this page uses, or else others: the usual ones, if none are given. */
export function endpointsOfPage(others: string = endpointsAt({})): string {
  return tellProviders({}).base ?? others
}

/** Says which endpoints functions use that were made with some options. */
export function findEndpointsBy(options: AuthClientOptions): FindEndpoints {
  const base = endpointsAt(options)
  return options.followsProvider ? () => endpointsOfPage(base) : () => base
}
