import { providerVariable } from '../providers/provider-variable.ts'
import { type Env, nonEmpty } from './env.ts'
import type { AuthConfig } from './options.ts'
import type { ConfigSources } from './sources.ts'

/** What the environment says of one provider. */
export interface ProviderEnv {
  clientId?: string
  clientSecret?: string
  issuer?: string
  apiKey?: string
}

/** `AUTH_<ID>_ID` and so on, where the id is in upper case with `_` for `-`. */
export function readProviderEnv(env: Env, id: string): ProviderEnv {
  const found: ProviderEnv = {}
  const clientId = nonEmpty(env[providerVariable(id, 'ID')])
  const clientSecret = nonEmpty(env[providerVariable(id, 'SECRET')])
  const issuer = nonEmpty(env[providerVariable(id, 'ISSUER')])
  const apiKey = nonEmpty(env[providerVariable(id, 'KEY')])
  if (clientId !== undefined) found.clientId = clientId
  if (clientSecret !== undefined) found.clientSecret = clientSecret
  if (issuer !== undefined) found.issuer = issuer
  if (apiKey !== undefined) found.apiKey = apiKey
  return found
}

/** Where providers send people back to, if not to the application itself. */
export function redirectProxyUrl({ options, said }: ConfigSources): string | undefined {
  return (options.redirectProxyUrl ?? said.redirectProxyUrl) || undefined
}

/** The origins that answers are passed on to: as configured, or as the environment says. */
export function redirectProxyOrigins(
  configured: AuthConfig['redirectProxyOrigins'],
  env: Env,
): readonly string[] {
  return configured ?? nonEmpty(env['AUTH_REDIRECT_PROXY_ORIGINS'])?.match(/[^\s,]+/g) ?? []
}
