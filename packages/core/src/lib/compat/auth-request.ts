import { endpoints } from '../api/create-auth.ts'
import { type AuthConfig, raw } from '../config/options.ts'
import { type ConfigLoader, copyOptions, loadConfig } from '../config/resolution/load-config.ts'
import type { ResponseInternal } from '../http/write-response.ts'
import { limiterInMemory } from '../limits/open-limiter.ts'

/**
 * Responds to one request, with the configuration passed in; see {@link createAuth}. With `raw`, resolves with plain
 * data and throws on failure.
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
  const resolved = await loaderOf(config).complete()
  return endpoints(({ respond, respondRaw }) =>
    config.raw === raw ? respondRaw(resolved, request) : respond(resolved, request),
  )
}

// Many applications write their configuration into the call. It is a new one each time, but attempts go on counting,
// under keys that no two applications share: their secrets are part of them.
const openLimiter = /* @__PURE__ */ limiterInMemory()

// Keyed by the very object, and dropped with it: two configurations never meet here. `Auth` has no other place for it, as it is
// given the configuration anew for each request.
const loaders = new WeakMap<object, { readonly seen: AuthConfig; readonly made: ConfigLoader }>()

/** Takes a configuration object once, and again where one of its members was replaced since. */
function loaderOf(config: AuthConfig): ConfigLoader {
  const cached = loaders.get(config)
  if (cached && isSame(cached.seen, config)) return cached.made
  const made = loadConfig(copyOptions(config), { openLimiter })
  loaders.set(config, { seen: { ...config }, made })
  return made
}

function isSame(seen: AuthConfig, now: AuthConfig): boolean {
  const names = Object.keys(now)
  return (
    names.length === Object.keys(seen).length &&
    names.every(name => Reflect.get(seen, name) === Reflect.get(now, name))
  )
}
