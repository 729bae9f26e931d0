import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { OAuthRuntime } from '../../config/runtime.ts'
import { runtimesFetch } from '../../config/runtimes-fetch.ts'
import type { RedirectProxy } from '../../oauth/provider/redirect-proxy.ts'
import {
  type ResolvedOAuthProvider,
  resolveOAuthProvider,
} from '../../oauth/provider/resolve-provider.ts'
import { createServerDirectory } from '../../oauth/provider/server.ts'

/** The part of a configuration that only sign-ins at providers need. Made when someone first signs in. */
export function oauthRuntime(config: ResolvedConfig): OAuthRuntime {
  config.runtime.oauth ??= createRuntime(config)
  return config.runtime.oauth
}

function createRuntime(config: ResolvedConfig): OAuthRuntime {
  const { ports } = config
  const resolved = new Map<string, ResolvedOAuthProvider>()
  return {
    servers: createServerDirectory({
      fetch: ports.fetch,
      isRuntimesFetch: ports.fetch === runtimesFetch,
      now: ports.now,
    }),
    resolve(provider) {
      const found =
        resolved.get(provider.id) ?? resolveOAuthProvider(provider, redirectProxyOf(config))
      if (found instanceof Error) throw found
      resolved.set(provider.id, found)
      return found
    },
  }
}

/** The redirect proxy of a configuration. A provider may name another one. */
export function redirectProxyOf(config: ResolvedConfig): RedirectProxy {
  return { url: config.redirectProxyUrl, origins: config.redirectProxyOrigins }
}
