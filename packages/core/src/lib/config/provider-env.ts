import { InvalidConfiguration } from '../base/errors.ts'
import { providerVariable } from '../providers/complete-provider.ts'
import type { Env, UnclearVariable } from './env.ts'
import type { AuthConfig } from './options.ts'

/** The environment's variables for one provider. */
export interface ProviderEnv {
  clientId?: string
  clientSecret?: string
  issuer?: string
  apiKey?: string
}

/** `AUTH_<ID>_ID` and so on, where the id is in upper case with `_` for `-`. */
export function readProviderEnv(env: Env, id: string): ProviderEnv {
  const suffixes = {
    clientId: 'ID',
    clientSecret: 'SECRET',
    issuer: 'ISSUER',
    apiKey: 'KEY',
  } as const
  const found = Object.entries(suffixes).map(([member, suffix]) => [
    member,
    env[providerVariable(id, suffix)],
  ])
  // A variable that is set to nothing is not set.
  return Object.fromEntries(found.filter(([, value]) => value))
}

/** Where providers send people back to, if not to the application itself. */
export function redirectProxyUrl(
  configured: AuthConfig['redirectProxyUrl'],
  env: Env,
): string | undefined {
  return (configured ?? env['AUTH_REDIRECT_PROXY_URL']) || undefined
}

/** The origins that responses are forwarded to, from the configuration or the environment. */
export function redirectProxyOrigins(
  configured: AuthConfig['redirectProxyOrigins'],
  env: Env,
): readonly string[] {
  return configured ?? env['AUTH_REDIRECT_PROXY_ORIGINS']?.match(/[^\s,]+/g) ?? []
}

const meanings = {
  AUTH_URL: 'a URL such as https://example.com',
  AUTH_TRUST_HOST: 'true or false',
} as const

/** The fault of a variable that cannot be understood. */
export function unclearVariable({ name, value }: UnclearVariable): InvalidConfiguration {
  const message = `${name} must be ${meanings[name]}, not ${JSON.stringify(value)}.`
  return new InvalidConfiguration(message)
}
