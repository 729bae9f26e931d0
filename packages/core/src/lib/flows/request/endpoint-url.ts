import type { PagesOptions } from '../../config/options.ts'
import type { PageConfig } from '../../config/resolved-config.ts'

/** The URL of one of our own endpoints, as browsers see it. */
export function endpointUrl(
  config: Pick<PageConfig, 'paths'>,
  origin: string,
  path: string,
): string {
  return `${origin}${config.paths.public}/${path}`
}

/**
 * The URL of a page: the application's own if it has one, otherwise ours. Parameters are added to those that the
 * page's URL has already.
 */
export function pageUrl(
  config: Pick<PageConfig, 'paths' | 'pages'>,
  origin: string,
  page: keyof PagesOptions,
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const own = config.pages[page]
  return withParams(
    own ? ownPage(config, origin, own) : endpointUrl(config, origin, builtIn[page]),
    params,
  )
}

const builtIn: Readonly<Record<keyof PagesOptions, string>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
  newUser: '',
}

/** The URL of a page that the application has configured. */
export function ownPage(
  config: Pick<PageConfig, 'paths'>,
  origin: string,
  configured: string,
): string {
  return new URL(publicPath(config, configured), origin).href
}

/** A URL with parameters, as far as they have a value. They replace those of the same name. */
export function withParams(
  url: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const complete = new URL(url)
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) complete.searchParams.set(name, value)
  }
  return complete.href
}

/** A path of the application as browsers see it: a proxy or the framework may put something before it. */
export function publicPath(config: Pick<PageConfig, 'paths'>, path: string): string {
  const prefix = publicPrefix(config)
  // `//` and `/\\` begin like a path, and lead to another site.
  const isPath = /^\/(?![/\\])/.test(path)
  const isPublic = path === prefix || path.startsWith(`${prefix}/`)
  return prefix && isPath && !isPublic ? prefix + path : path
}

/** The prefix that a proxy or the framework puts before the application's paths. */
export function publicPrefix({ paths }: Pick<PageConfig, 'paths'>): string {
  return paths.public.slice(0, paths.public.length - paths.route.length)
}
