import type { FoundConfig } from './find-configs.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Where the endpoints are if neither `basePath` nor `AUTH_URL` says it. */
export function defaultBasePath(config: FoundConfig): string {
  return config.mount ?? config.defaultPath
}

/** Where requests to the endpoints arrive at the application. */
export function routePath(config: FoundConfig, env: Variables): string {
  return writtenPath(config) ?? (pathOfUrl(env) || defaultBasePath(config))
}

/** Where browsers find them, which is below a prefix if a proxy removes one. */
export function publicPath(config: FoundConfig, env: Variables): string {
  return pathOfUrl(env) || (writtenPath(config) ?? defaultBasePath(config))
}

/** The address of the site; null if it is not set, or no URL. */
export function siteUrl(env: Variables): URL | null {
  const given = env['AUTH_URL'] || env['NEXTAUTH_URL'] || ''
  return URL.canParse(given) ? new URL(given) : null
}

function writtenPath({ for: framework, options }: FoundConfig): string | null {
  const { basePath, prefix } = options
  if (typeof basePath === 'string') return basePath
  // As @auth/solid-start calls it.
  return framework === 'solid-start' && typeof prefix === 'string' ? prefix : null
}

function pathOfUrl(env: Variables): string {
  return siteUrl(env)?.pathname.replace(/\/+$/, '') ?? ''
}
