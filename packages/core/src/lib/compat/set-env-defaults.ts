import { type Env, readEnv } from '../config/env.ts'
import type { AuthConfig } from '../config/options.ts'
import { readProviderEnv, redirectProxyOrigins, redirectProxyUrl } from '../config/provider-env.ts'
import { trimPath } from '../config/site-address.ts'
import { completeProvider } from '../providers/complete-provider.ts'
import { mergeOptions } from '../providers/merge-options.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { warn } from './warn.ts'

/**
 * Fills in values from the environment, in the object itself. For framework integrations written
 * for Auth.js; `createAuth` reads the environment itself and changes nothing.
 *
 * @example
 * ```ts
 * import { type AuthConfig, setEnvDefaults } from '@siteauth/core'
 *
 * export function prepare(config: AuthConfig): AuthConfig {
 *   const own = { ...config }
 *   setEnvDefaults(process.env, own)
 *   return own
 * }
 * ```
 */
export function setEnvDefaults(
  env: Env,
  config: AuthConfig,
  suppressBasePathWarning: boolean = false,
): void {
  const envOptions = readEnv(env)
  const path = envOptions.url ? trimPath(envOptions.url.pathname) : ''
  if (path && config.basePath && !suppressBasePathWarning) {
    warn(config.logger, 'env-url-basepath-redundant')
  }
  config.basePath ??= path || '/auth'
  if (!config.secret?.length && envOptions.secrets.length > 0)
    config.secret = [...envOptions.secrets]
  const proxyUrl = redirectProxyUrl(undefined, env)
  if (proxyUrl !== undefined) config.redirectProxyUrl ??= proxyUrl
  const origins = redirectProxyOrigins(config.redirectProxyOrigins, env)
  if (origins.length > 0) config.redirectProxyOrigins ??= origins
  if (envOptions.trustHost !== 'loopback') config.trustHost ??= envOptions.trustHost
  config.providers = config.providers.map(each => {
    const call = each as (options: object) => ProviderObject // functions only, see below
    const given = typeof each === 'function' ? call(readProviderEnv(env, call({}).id)) : each
    const made = completeProvider(given, { ...readProviderEnv(env, given.id) })
    const { clientId, clientSecret, issuer, apiKey } = readProviderEnv(env, made.id)
    if (made.type === 'oauth' || made.type === 'oidc') {
      return mergeOptions({ clientId, clientSecret, issuer } as typeof made, made)
    }
    return made.type === 'email' ? mergeOptions({ apiKey } as typeof made, made) : made
  })
}
