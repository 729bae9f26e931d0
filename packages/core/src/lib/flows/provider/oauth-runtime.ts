import type { Profile } from '../../base/model.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import {
  type RedirectProxy,
  type ResolvedOAuthProvider,
  resolveOAuthProvider,
} from '../../oauth/provider/resolve-provider.ts'
import { createServerDirectory, type ServerDirectory } from '../../oauth/provider/server.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'

/** What sign-ins at providers share: the servers that are known, and the providers in full. */
export interface OAuthRuntime {
  readonly servers: ServerDirectory
  /** Throws the error that says why, for a provider that cannot work. */
  resolve(provider: OAuthConfig<Profile>): ResolvedOAuthProvider
}

// Made when someone first signs in, so that reading sessions loads none of this. Keyed by the
// providers, which all variants of a configuration share, and dropped with them.
const runtimes = new WeakMap<ResolvedConfig['providers'], OAuthRuntime>()

/** The part of a configuration that only sign-ins at providers need. */
export function oauthRuntime(config: ResolvedConfig): OAuthRuntime {
  let runtime = runtimes.get(config.providers)
  if (!runtime) {
    runtime = createRuntime(config)
    runtimes.set(config.providers, runtime)
  }
  return runtime
}

function createRuntime(config: ResolvedConfig): OAuthRuntime {
  const { ports } = config
  const known = new Map<string, ResolvedOAuthProvider>()
  return {
    servers: createServerDirectory({ fetch: ports.fetch, now: ports.now }),
    resolve(provider) {
      const found =
        known.get(provider.id) ?? resolveOAuthProvider(provider, redirectProxyOf(config))
      if (found instanceof Error) throw found
      known.set(provider.id, found)
      return found
    },
  }
}

/** The redirect proxy of a configuration. A provider may name another one. */
export function redirectProxyOf(config: ResolvedConfig): RedirectProxy {
  return { url: config.redirectProxyUrl, origins: config.redirectProxyOrigins }
}
