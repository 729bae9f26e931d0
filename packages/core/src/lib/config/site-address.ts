import { type HostTrust, isLoopbackTrust } from '../http/origin.ts'
import type { AuthConfig, PagesOptions } from './options.ts'
import { areTexts, type ConfigSources } from './sources.ts'

/** A path without a slash at its end; the root is the empty string. */
export function trimPath(path: string): string {
  return path.replace(/\/+$/, '')
}

/** Combines `basePath` and `AUTH_URL`. */
export interface Paths {
  /** Where requests arrive. */
  readonly route: string
  /** Where browsers find the endpoints: the same, below a prefix that a proxy or framework removes. */
  readonly public: string
  readonly warning?: 'env-url-basepath-mismatch'
}

/** Where the endpoints of an application are. */
export function pathsOf({ options, envOptions, platform }: ConfigSources): Paths {
  const { defaultBasePath = '/auth', publicPrefix = '' } = platform
  return resolvePaths(options.basePath, envOptions.url, defaultBasePath, publicPrefix)
}

/** Decides where the endpoints are. */
export function resolvePaths(
  basePath: AuthConfig['basePath'],
  url: URL | undefined,
  fallback: string,
  publicPrefix: string,
): Paths {
  const fromUrl = url ? trimPath(url.pathname) : ''
  // A missing slash is an error, which has to be reported at the intended path.
  const route = trimPath((basePath ?? (fromUrl || fallback)).replace(/^(?=[^/])/, '/'))
  if (publicPrefix) return belowPrefix(route, fromUrl, trimPath(publicPrefix), fallback)
  if (fromUrl === '' || fromUrl === route) return { route, public: route }
  if (fromUrl.endsWith(route)) return { route, public: fromUrl }
  return { route, public: route, warning: 'env-url-basepath-mismatch' }
}

/** The framework takes a prefix off, which people may or may not have written down. */
function belowPrefix(configured: string, fromUrl: string, prefix: string, fallback: string): Paths {
  const below = configured === prefix ? fallback : configured
  const route = below.startsWith(`${prefix}/`) ? below.slice(prefix.length) : below
  const path = prefix + route
  return { route, public: fromUrl.endsWith(path) ? fromUrl : path }
}

/** Where an application is, and where its pages are. */
export interface SiteAddress {
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly paths: Paths
  /** The origin from AUTH_URL. */
  readonly origin: string | undefined
  readonly trustHost: HostTrust
}

/** Finds out where an application and its pages are. */
export function siteAddressOf(sources: ConfigSources): SiteAddress {
  const { options, envOptions, trustHost } = sources
  return {
    pages: pagesThatExist(options.pages),
    paths: pathsOf(sources),
    origin: envOptions.url?.origin,
    // Also where it is at fault, pages say so.
    trustHost:
      trustHost === true || isLoopbackTrust(trustHost) || areTexts(trustHost) ? trustHost : false,
  }
}

/** The pages that there are, even if others are at fault: the fault itself has to be shown somewhere. */
function pagesThatExist(pages: AuthConfig['pages']): Partial<PagesOptions> {
  return Object.fromEntries(Object.entries(pages ?? {}).filter(([, page]) => isPage(page)))
}

/** Whether a configured page can exist at its path. */
export function isPage(page: unknown): boolean {
  if (typeof page !== 'string') return false
  return (page.startsWith('/') && !page.startsWith('//')) || isHttpUrl(page)
}

/** Whether a text is the URL of something that browsers can go to, without a password in it. */
export function isHttpUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text)
    return ['https:', 'http:'].includes(protocol) && !username && !password
  } catch {
    return false
  }
}

/**
 * The same configuration with its endpoints elsewhere, for frameworks that learn from a request where
 * they are mounted. Costs next to nothing: keys, stores and what is known of providers are shared.
 */
export function atPaths<Config extends SiteAddress>(
  config: Config,
  paths: Pick<Paths, 'route' | 'public'>,
): Config {
  return Object.freeze({ ...config, paths })
}
