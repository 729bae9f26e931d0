import { untrustedHost } from '../base/errors.ts'
import { type Env, readEnv } from '../config/env.ts'
import type { AuthConfig } from '../config/options.ts'
import { unclearVariable } from '../config/provider-env.ts'
import { resolvePaths, trimPath } from '../config/site-address.ts'
import { resolveOrigin } from '../http/origin.ts'
import type { AuthAction } from '../http/request.ts'
import { warn } from './warn.ts'

/**
 * The URL of an endpoint, by the same rules as everywhere else: what is configured wins over what
 * the headers say.
 *
 * @example
 * ```ts
 * import { createActionURL } from '@siteauth/core'
 *
 * export const url: URL = createActionURL(
 *   'session',
 *   'https',
 *   new Headers({ host: 'example.com' }),
 *   {},
 *   { basePath: '/auth' },
 * ) // https://example.com/auth/session
 * ```
 */
export function createActionURL(
  action: AuthAction,
  protocol: string,
  headers: Headers,
  env: Env,
  config: Pick<AuthConfig, 'basePath' | 'logger' | 'trustHost'>,
): URL {
  const { url, unclear } = readEnv(env)
  // Setting it means no other origin should be used.
  if (unclear[0]) throw unclearVariable(unclear[0])
  const { origin, untrusted } = resolveOrigin(url?.origin, config.trustHost || true, {
    header: name => headers.get(name),
    protocol: `${(protocol || likelyProtocol(headers)).replace(/:$/, '')}:`,
    host: '',
  })
  if (origin === undefined) throw untrustedHost(untrusted)
  const { public: path, warning } = resolvePaths(config.basePath, url, '', '')
  if (warning) warn(config.logger, warning)
  return new URL(`${trimPath(path)}/${action}`, origin)
}

/** If the caller does not pass it: the value from a proxy, otherwise the web's default. */
function likelyProtocol(headers: Headers): string {
  return /^\s*http:?\s*$/i.test(headers.get('x-forwarded-proto') ?? '') ? 'http' : 'https'
}
