import type { Env } from './env.ts'
import { nonEmpty } from './non-empty.ts'
import type { AuthConfig } from './options.ts'

/** The origins that answers are passed on to: as configured, or as the environment says. */
export function redirectProxyOrigins(
  configured: AuthConfig['redirectProxyOrigins'],
  env: Env,
): readonly string[] {
  return configured ?? nonEmpty(env['AUTH_REDIRECT_PROXY_ORIGINS'])?.match(/[^\s,]+/g) ?? []
}
