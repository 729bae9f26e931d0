import type { AuthConfig } from '@siteauth/core'
import { atPaths, resolveConfig } from '@siteauth/core/endpoints'
import type { Resolution } from '@siteauth/core/integration'
import type { ChosenPaths } from './choose-paths.ts'

/** What a configuration comes to, and where it says that the endpoints are. */
export interface Settled {
  /** With the endpoints where they are if no mount says otherwise. */
  readonly resolution: Resolution
  /** The base path by `basePath` or `AUTH_URL`. Empty where neither says one. */
  readonly saidPath: string
  readonly seen: Seen
}

/** What has been seen of where the endpoints are. */
interface Seen {
  /** Whether requests for them arrived elsewhere than where they are if no mount says otherwise. */
  isElsewhere: boolean
  /** Whether something leads to them there. */
  isReliedOn: boolean
  isWarned: boolean
}

/** Where the endpoints are taken to be where nothing says so. */
export const ASSUMED_PATH = '/auth'

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
  const seen = { isElsewhere: false, isReliedOn: false, isWarned: false }
  if (saidPath !== '' || config.basePath !== undefined) return { resolution, saidPath, seen }
  const assumed = atPaths(resolution, { route: ASSUMED_PATH, public: ASSUMED_PATH })
  return { resolution: assumed, saidPath, seen }
}

/** Takes note of where the endpoints are mounted. */
export function noteMount({ seen, saidPath, resolution }: Settled, paths: ChosenPaths): void {
  if (saidPath === '') seen.isElsewhere = paths.route.toLowerCase() !== ASSUMED_PATH
  if (paths.mismatch || (seen.isElsewhere && seen.isReliedOn)) warnOnce(seen, resolution)
}

/** Takes note that visitors are led to the endpoints by a function that cannot see their mount. */
export function relyOnPath({ seen, resolution }: Settled): void {
  seen.isReliedOn = true
  if (seen.isElsewhere) warnOnce(seen, resolution)
}

function warnOnce(seen: Seen, { frame }: Resolution): void {
  if (seen.isWarned) return
  seen.isWarned = true
  frame.logger.warn('mount-basepath-mismatch')
}
