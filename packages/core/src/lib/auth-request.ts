import { copyOf } from './config/copy-of.ts'
import { type AuthConfig, raw } from './config/options.ts'
import { type Prepared, prepareConfig } from './config/prepare.ts'
import type { ResponseInternal } from './http/to-response.ts'
import { endpoints } from './load-endpoints.ts'

/**
 * Answers one request, with the configuration passed in; see {@link createAuth}. With `raw`,
 * resolves with plain data and throws on failure.
 *
 * @example
 * ```ts
 * import { Auth, type AuthConfig } from '@siteauth/core'
 *
 * export const config: AuthConfig = { providers: [] }
 *
 * export function respond(request: Request): Promise<Response> {
 *   return Auth(request, config)
 * }
 * ```
 */
export function Auth(
  request: Request,
  config: AuthConfig & { raw: typeof raw },
): Promise<ResponseInternal>
export function Auth(request: Request, config: Omit<AuthConfig, 'raw'>): Promise<Response>
export async function Auth(
  request: Request,
  config: AuthConfig,
): Promise<Response | ResponseInternal> {
  const resolution = await preparedFor(config).complete()
  return endpoints(({ respond, respondRaw }) =>
    config.raw === raw ? respondRaw(resolution, request) : respond(resolution, request),
  )
}

// Keyed by the very object, and dropped with it: two configurations never meet here.
const preparations = new WeakMap<object, { readonly seen: AuthConfig; readonly made: Prepared }>()

/** Prepares a configuration object once, and again where one of its members was replaced since. */
function preparedFor(config: AuthConfig): Prepared {
  const kept = preparations.get(config)
  if (kept && isSame(kept.seen, config)) return kept.made
  const made = prepareConfig(copyOf(config))
  preparations.set(config, { seen: { ...config }, made })
  return made
}

function isSame(seen: AuthConfig, now: AuthConfig): boolean {
  const names = Object.keys(now)
  return (
    names.length === Object.keys(seen).length &&
    names.every(name => Reflect.get(seen, name) === Reflect.get(now, name))
  )
}
