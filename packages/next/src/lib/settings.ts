import type { AuthConfig } from '@siteauth/core'
import { type Resolution, type ResolvedConfig, resolveConfig } from '@siteauth/core/integration'
import type { NextRequest } from 'next/server.js'
import type { NextAuthConfig } from './auth-config.ts'
import { nextBasePath } from './next-base-path.ts'

/** A configuration, or a function that answers one for a request. */
export type Configured<Token, Sess> =
  | NextAuthConfig<Token, Sess>
  | ((
      request: NextRequest | undefined,
    ) => NextAuthConfig<Token, Sess> | Promise<NextAuthConfig<Token, Sess>>)

/** What counts for a request. */
export interface Settings {
  /**
   * @param request what stands for the request, by which an answer is kept
   * @param shown what a function is shown of it
   */
  of(request: object, shown?: NextRequest): Resolution | Promise<Resolution>
}

/**
 * Resolves a configuration when it is first used: by then the environment is complete, and a fault is
 * reported to whoever can see it rather than thrown while modules are loaded. A function is asked
 * once per request; what it answers is resolved once, if it is the same object again.
 */
export function settingsOf<Token, Sess>(config: Configured<Token, Sess>): Settings {
  if (typeof config !== 'function') {
    let resolution: Resolution | undefined
    return {
      of: () => {
        resolution ??= resolve(config)
        return resolution
      },
    }
  }
  const resolutions = new WeakMap<object, Resolution>()
  const requests = new WeakMap<object, Promise<Resolution>>()
  const ask = async (shown: NextRequest | undefined) => {
    const answered = await config(shown)
    const resolution = resolutions.get(answered) ?? resolve(answered)
    resolutions.set(answered, resolution)
    return resolution
  }
  return {
    of: (request, shown) => {
      const resolution = requests.get(request) ?? ask(shown)
      requests.set(request, resolution)
      return resolution
    },
  }
}

function resolve<Token, Sess>(config: NextAuthConfig<Token, Sess>): Resolution {
  // The two types say what the application's own callbacks exchange; the engine passes it through.
  return resolveConfig(config as unknown as AuthConfig, {
    defaultBasePath: '/api/auth',
    publicPrefix: nextBasePath(),
  })
}

/** The configuration, or an exception where it has faults. */
export function usable({ frame, config, faults }: Resolution): ResolvedConfig {
  if (config) return config
  for (const fault of faults) frame.logger.error(fault)
  throw faults[0]
}

/** The path that Next and proxies put before those that the application knows. */
export function prefixOf({ frame }: Pick<Resolution, 'frame'>): string {
  const { public: seen, route } = frame.paths
  return seen.slice(0, seen.length - route.length)
}
