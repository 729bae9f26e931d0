import type { Paths } from './paths.ts'
import type { FaultyConfig, ResolvedConfig } from './resolved.ts'

/**
 * The same configuration with its endpoints elsewhere, for frameworks that learn from a request where
 * they are mounted. Costs next to nothing: keys, stores and what is known of providers are shared.
 */
export function atPaths(
  config: ResolvedConfig | FaultyConfig,
  paths: Pick<Paths, 'route' | 'public'>,
): ResolvedConfig | FaultyConfig {
  return Object.freeze({ ...config, paths })
}

/**
 * The same configuration without the CSRF check: for calls by the application itself, which no page
 * of a stranger can make.
 */
export function forOwnCalls(config: ResolvedConfig): ResolvedConfig {
  return Object.freeze({ ...config, csrf: null })
}
