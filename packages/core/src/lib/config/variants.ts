import type { Paths } from './paths.ts'
import type { Resolution } from './resolved.ts'

/**
 * The same configuration with its endpoints elsewhere, for frameworks that learn from a request where
 * they are mounted. Costs next to nothing: keys, stores and what is known of providers are shared.
 */
export function atPaths(
  resolution: Resolution,
  paths: Pick<Paths, 'route' | 'public'>,
): Resolution {
  const { config, faults } = resolution
  const frame = { ...resolution.frame, paths }
  return config
    ? { frame, config: Object.freeze({ ...config, paths }), faults: [] }
    : { frame, config: null, faults }
}
