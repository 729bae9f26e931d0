import type { Basis } from './basis.ts'
import { type Paths, resolvePaths } from './paths.ts'

/** Where the endpoints of an application are. */
export function pathsOf({ options, platform, said }: Basis): Paths {
  const { defaultBasePath = '/auth', publicPrefix = '' } = platform
  return resolvePaths(options.basePath, said.url, defaultBasePath, publicPrefix)
}
