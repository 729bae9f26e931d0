import type { AuthConfig } from '@siteauth/core'
import {
  type ConfigLoader,
  limiterInMemory,
  loadConfig,
  type OpenLimiter,
  type Paths,
  pathsOf,
} from '@siteauth/core/internal'
import type { NextRequest } from 'next/server.js'
import type { NextAuthConfig } from './auth-config.ts'
import { nextBasePath } from './next-base-path.ts'

/** A configuration, or a function that answers one for a request. */
export type Configured<Token, Sess, Exposed extends string> =
  | NextAuthConfig<Token, Sess, Exposed>
  | ((
      request: NextRequest | undefined,
    ) => NextAuthConfig<Token, Sess, Exposed> | Promise<NextAuthConfig<Token, Sess, Exposed>>)

/** A configuration: where the endpoints are, how sessions are checked, and all else when needed. */
export interface NextConfigLoader extends ConfigLoader {
  readonly paths: Paths
}

/** What counts for a request. */
export interface Settings {
  /**
   * @param request what stands for the request, by which an answer is kept
   * @param argument what a configuration that is a function is called with
   */
  of(request: object, argument?: NextRequest): NextConfigLoader | Promise<NextConfigLoader>
}

/**
 * Takes a configuration when it is first used: by then the environment is complete, and a fault is
 * reported to whoever can see it rather than thrown while modules are loaded. A function is asked
 * once per request; what it answers is taken once, if it is the same object again.
 */
export function settingsOf<Token, Sess, Exposed extends string>(
  config: Configured<Token, Sess, Exposed>,
): Settings {
  if (typeof config !== 'function') {
    let loader: NextConfigLoader | undefined
    return {
      of: () => {
        loader ??= createLoader(config)
        return loader
      },
    }
  }
  const loaders = new WeakMap<object, NextConfigLoader>()
  const requests = new WeakMap<object, Promise<NextConfigLoader>>()
  const openLimiter = limiterInMemory()
  const ask = async (argument: NextRequest | undefined) => {
    const answered = await config(argument)
    const loader = loaders.get(answered) ?? createLoader(answered, openLimiter)
    loaders.set(answered, loader)
    return loader
  }
  return {
    of: (request, argument) => {
      const loader = requests.get(request) ?? ask(argument)
      requests.set(request, loader)
      return loader
    },
  }
}

function createLoader<Token, Sess, Exposed extends string>(
  config: NextAuthConfig<Token, Sess, Exposed>,
  openLimiter?: OpenLimiter,
): NextConfigLoader {
  // The types say what the application's own callbacks exchange; the engine passes it through.
  const loader = loadConfig(config as unknown as AuthConfig, {
    defaultBasePath: '/api/auth',
    publicPrefix: nextBasePath(),
    addsForwardedHeaders: true,
    ...(openLimiter && { openLimiter }),
  })
  return { ...loader, paths: pathsOf(loader.sources) }
}

/** The path that Next and proxies put before those that the application knows. */
export function prefixOf({ paths }: { readonly paths: Paths }): string {
  const { public: publicPath, route } = paths
  return publicPath.slice(0, publicPath.length - route.length)
}
