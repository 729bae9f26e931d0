import type { PagesOptions } from '../config/options.ts'
import type { PageConfig } from '../config/resolved.ts'

/** The URL of one of our own endpoints, as browsers see it. */
export function endpointUrl(
  config: Pick<PageConfig, 'paths'>,
  origin: string,
  path: string,
): string {
  return `${origin}${config.paths.public}/${path}`
}

/**
 * The URL of a page: the application's own if it has one, else ours. Parameters are added to those
 * that the page's address has already.
 */
export function pageUrl(
  config: Pick<PageConfig, 'paths' | 'pages'>,
  origin: string,
  page: keyof PagesOptions,
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const own = config.pages[page]
  const url = own
    ? new URL(withPrefix(config, own), origin)
    : new URL(endpointUrl(config, origin, builtIn[page]))
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

const builtIn: Readonly<Record<keyof PagesOptions, string>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
  newUser: '',
}

/** Paths are configured as the application knows them; a proxy or framework may add to them. */
function withPrefix({ paths }: Pick<PageConfig, 'paths'>, page: string): string {
  const prefix = paths.public.slice(0, paths.public.length - paths.route.length)
  return prefix && page.startsWith('/') && !page.startsWith(`${prefix}/`) ? prefix + page : page
}
