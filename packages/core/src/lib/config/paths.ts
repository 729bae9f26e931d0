import type { AuthConfig } from './options.ts'
import type { ConfigSources } from './sources.ts'

/** A path without a slash at its end; the root is the empty string. */
export function trimPath(path: string): string {
  return path.replace(/\/+$/, '')
}

/** What `basePath` and `AUTH_URL` make together. */
export interface Paths {
  /** Where requests arrive. */
  readonly route: string
  /** Where browsers find the endpoints: the same, below a prefix that a proxy or framework removes. */
  readonly public: string
  readonly warning?: 'env-url-basepath-mismatch'
}

/** Where the endpoints of an application are. */
export function pathsOf({ options, said, platform }: ConfigSources): Paths {
  const { defaultBasePath = '/auth', publicPrefix = '' } = platform
  return resolvePaths(options.basePath, said.url, defaultBasePath, publicPrefix)
}

/** Decides where the endpoints are. */
export function resolvePaths(
  basePath: AuthConfig['basePath'],
  url: URL | undefined,
  fallback: string,
  publicPrefix: string,
): Paths {
  const fromUrl = url ? trimPath(url.pathname) : ''
  // A slash that is missing is a fault, which has to be told at the path that was meant.
  const route = trimPath((basePath ?? (fromUrl || fallback)).replace(/^(?=[^/])/, '/'))
  if (publicPrefix) return belowPrefix(route, fromUrl, trimPath(publicPrefix), fallback)
  if (fromUrl === '' || fromUrl === route) return { route, public: route }
  if (fromUrl.endsWith(route)) return { route, public: fromUrl }
  return { route, public: route, warning: 'env-url-basepath-mismatch' }
}

/** The framework takes a prefix off, which people may or may not have written down. */
function belowPrefix(said: string, fromUrl: string, prefix: string, fallback: string): Paths {
  const below = said === prefix ? fallback : said
  const route = below.startsWith(`${prefix}/`) ? below.slice(prefix.length) : below
  const path = prefix + route
  return { route, public: fromUrl.endsWith(path) ? fromUrl : path }
}
