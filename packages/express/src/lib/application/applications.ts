import type { AuthConfig } from '@siteauth/core'
import type { FaultyConfig, ResolvedConfig } from '@siteauth/core/internal'
import { atPaths, resolveConfig } from '@siteauth/core/internal/config'
import type { LoggerInstance } from '@siteauth/core/types'
import type { ChosenPaths } from './choose-paths.ts'

type WarningCode = Parameters<LoggerInstance['warn']>[0]

/** An application: what it configures, and what is known of where its endpoints are. */
export interface Application {
  /** With the endpoints where they are if no mount says otherwise. */
  readonly resolved: ResolvedConfig | FaultyConfig
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
  /** What was warned of: each once. */
  readonly warned: Set<WarningCode>
}

/** Where the endpoints are taken to be where nothing says so. */
export const ASSUMED_PATH = '/auth'

// Keyed by the very object, and dropped with it.
const applications = new WeakMap<object, Application>()

/**
 * Resolves a configuration when it is first used: by then the environment is complete, and a fault is
 * reported to whoever can see it rather than thrown while modules are loaded.
 */
export function applicationOf(config: object): Application {
  let known = applications.get(config)
  if (!known) {
    known = createApplication(config as AuthConfig) // the exported functions take nothing else
    applications.set(config, known)
  }
  return known
}

/** Whether a configuration has been used already. */
export function isInUse(config: object): boolean {
  return applications.has(config)
}

/** Throws if there is no configuration at all. */
export function demandObject(name: string, config: unknown): void {
  if (typeof config === 'object' && config !== null) return
  throw new TypeError(`${name} needs a configuration: ${name}({ providers: [GitHub] }).`)
}

function createApplication(config: AuthConfig): Application {
  const resolved = resolveConfig(config, { defaultBasePath: '' })
  const { public: saidPath } = resolved.paths
  const seen = { isElsewhere: false, isReliedOn: false, warned: new Set<WarningCode>() }
  if (saidPath !== '' || config.basePath !== undefined) return { resolved, saidPath, seen }
  const assumed = atPaths(resolved, { route: ASSUMED_PATH, public: ASSUMED_PATH })
  return { resolved: assumed, saidPath, seen }
}

// Those for which there is a middleware. Whether it was mounted, Express does not say.
const served = new WeakSet<object>()

/** Takes note that somebody has what answers requests to the endpoints. Whether that is new. */
export function noteServed(config: object): boolean {
  const isNew = !served.has(config)
  served.add(config)
  return isNew
}

/** Takes note of where the endpoints are mounted. */
export function noteMount(known: Application, paths: ChosenPaths): void {
  const { seen, saidPath } = known
  if (saidPath === '') seen.isElsewhere = paths.route.toLowerCase() !== ASSUMED_PATH
  if (paths.mismatch || (seen.isElsewhere && seen.isReliedOn)) noteMismatch(known)
}

/** Takes note that requests for endpoints arrive elsewhere than the configuration says. */
export function noteMismatch(known: Application): void {
  warnOnce(known, 'mount-basepath-mismatch')
}

/** Takes note that visitors are led to the endpoints by a function that cannot see their mount. */
export function relyOnPath(known: Application, config: object): void {
  known.seen.isReliedOn = true
  if (known.seen.isElsewhere) noteMismatch(known)
  // In production another application may well sign people in.
  if (!served.has(config) && !isProduction()) warnOnce(known, 'endpoints-not-mounted')
}

/** Takes note of a request that may have come over HTTPS, though Express does not say so. */
export function warnOfUntrustedProxy(known: Application): void {
  if (known.resolved.origin === undefined) warnOnce(known, 'untrusted-proxy')
}

/** As Express understands it. */
export function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production'
}

function warnOnce({ seen, resolved }: Application, code: WarningCode): void {
  if (seen.warned.has(code)) return
  seen.warned.add(code)
  resolved.logger.warn(code)
}
