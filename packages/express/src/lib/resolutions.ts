import type { AuthConfig } from '@siteauth/core'
import { atPaths, resolveConfig } from '@siteauth/core/endpoints'
import type { Resolution } from '@siteauth/core/integration'

/** What a configuration comes to, and where it says that the endpoints are. */
export interface Settled {
  /** With the endpoints where they are if no mount says otherwise. */
  readonly resolution: Resolution
  /** The base path by `basePath` or `AUTH_URL`. Empty where neither says one. */
  readonly saidPath: string
}

// Keyed by the very object, and dropped with it.
const settled = new WeakMap<object, Settled>()

/**
 * Resolves a configuration when it is first used: by then the environment is complete, and a fault is
 * reported to whoever can see it rather than thrown while modules are loaded.
 */
export function settle(config: object): Settled {
  let known = settled.get(config)
  if (!known) {
    known = settleNow(config as AuthConfig) // the exported functions take nothing else
    settled.set(config, known)
  }
  return known
}

function settleNow(config: AuthConfig): Settled {
  const resolution = resolveConfig(config, { defaultBasePath: '' })
  const { public: saidPath } = resolution.frame.paths
  if (saidPath !== '' || config.basePath !== undefined) return { resolution, saidPath }
  return { resolution: atPaths(resolution, { route: '/auth', public: '/auth' }), saidPath }
}
