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
