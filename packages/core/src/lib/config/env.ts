import type { AuthConfig } from './options.ts'

/** The variables that the library reads. */
export type Env = Readonly<Record<string, string | undefined>>

/** What the environment says. */
export interface EnvOptions {
  readonly secrets: readonly string[]
  readonly url: URL | undefined
  readonly redirectProxyUrl: string | undefined
  readonly trustHost: boolean
  readonly development: boolean
  /** Variables that cannot be understood, in words. */
  readonly faults: readonly string[]
}

/** Reads the environment. Writes nothing back. */
export function readEnv(env: Env): EnvOptions {
  const faults: string[] = []
  const givenUrl = present(env['AUTH_URL']) ?? present(env['NEXTAUTH_URL'])
  const url = parseUrl(givenUrl)
  if (givenUrl && !url) {
    faults.push(
      `AUTH_URL must be a URL such as https://example.com, not ${JSON.stringify(givenUrl)}.`,
    )
  }
  const givenTrust = present(env['AUTH_TRUST_HOST'])
  const trusted = readBoolean(givenTrust)
  if (givenTrust && trusted === undefined) {
    faults.push(`AUTH_TRUST_HOST must be true or false, not ${JSON.stringify(givenTrust)}.`)
  }
  const onPlatform = present(env['VERCEL']) ?? present(env['CF_PAGES'])
  return {
    secrets: readSecrets(env),
    url,
    redirectProxyUrl: present(env['AUTH_REDIRECT_PROXY_URL']),
    trustHost: trusted ?? Boolean(url ?? onPlatform ?? env['NODE_ENV'] !== 'production'),
    development: env['NODE_ENV'] === 'development',
    faults,
  }
}

/** What the environment says of one provider. */
export interface ProviderEnv {
  clientId?: string
  clientSecret?: string
  issuer?: string
  apiKey?: string
}

/** `AUTH_<ID>_ID` and so on, where the id is in upper case with `_` for `-`. */
export function readProviderEnv(env: Env, id: string): ProviderEnv {
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  const found: ProviderEnv = {}
  const clientId = present(env[`${prefix}_ID`])
  const clientSecret = present(env[`${prefix}_SECRET`])
  const issuer = present(env[`${prefix}_ISSUER`])
  const apiKey = present(env[`${prefix}_KEY`])
  if (clientId !== undefined) found.clientId = clientId
  if (clientSecret !== undefined) found.clientSecret = clientSecret
  if (issuer !== undefined) found.issuer = issuer
  if (apiKey !== undefined) found.apiKey = apiKey
  return found
}

/** The environment of the process, where there is one. */
export function processEnv(): Env {
  return globalThis.process?.env ?? {}
}

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

function readSecrets(env: Env): readonly string[] {
  const newestFirst = ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET']
  const secrets = newestFirst.flatMap(name => present(env[name]) ?? [])
  return secrets.length > 0
    ? secrets
    : [present(env['NEXTAUTH_SECRET'])].flatMap(each => each ?? [])
}

function readBoolean(value: string | undefined): boolean | undefined {
  switch (value?.trim().toLowerCase()) {
    case 'true':
    case '1':
    case 'yes':
    case 'on':
      return true
    case 'false':
    case '0':
    case 'no':
    case 'off':
      return false
    default:
      return undefined
  }
}

/** A variable that is set to nothing is not set. */
function present(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

function parseUrl(value: string | undefined): URL | undefined {
  if (!value) return undefined
  try {
    const url = new URL(value)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}
