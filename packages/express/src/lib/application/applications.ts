import type { AuthConfig } from '@siteauth/core'
import type { InvalidConfig, ResolvedConfig } from '@siteauth/core/internal'
import { atPaths, modeOf, processEnv, resolveConfig } from '@siteauth/core/internal/config'
import type { LoggerInstance } from '@siteauth/core/types'
import type { ChosenPaths } from './choose-paths.ts'

type WarningCode = Parameters<LoggerInstance['warn']>[0]

/** An application: its configuration, and the state of its mounts. */
export interface Application {
  /** With the endpoints where they are if no mount specifies another path. */
  readonly resolved: ResolvedConfig | InvalidConfig
  /** The base path by `basePath` or `AUTH_URL`. Empty if neither specifies one. */
  readonly configuredPath: string
  readonly mountState: Seen
}

/** What has been seen of where the endpoints are. */
interface Seen {
  /** Whether requests for endpoints arrived at another path than where they are if no mount specifies one. */
  isElsewhere: boolean
  /** Whether something leads to them there. */
  isReliedOn: boolean
  /** What was warned of: each once. */
  readonly warned: Set<WarningCode>
}

/** Where the endpoints are assumed to be if nothing specifies their path. */
export const ASSUMED_PATH = '/auth'

// Keyed by the very object, and dropped with it.
const applications = new WeakMap<object, Application>()

/**
 * Resolves a configuration when it is first used: by then the environment is complete, and a fault is
 * reported to whoever can see it rather than thrown while modules are loaded.
 */
export function getApplication(config: object): Application {
  let application = applications.get(config)
  if (!application) {
    application = createApplication(config as AuthConfig) // the exported functions take nothing else
    applications.set(config, application)
  }
  return application
}

/** Whether a configuration has been used already. */
export function isInUse(config: object): boolean {
  return applications.has(config)
}

/** Throws if there is no configuration at all. */
export function assertObject(name: string, config: unknown): void {
  if (typeof config === 'object' && config !== null) return
  throw new TypeError(`${name} needs a configuration: ${name}({ providers: [GitHub] }).`)
}

function createApplication(config: AuthConfig): Application {
  const resolved = resolveConfig(config, { defaultBasePath: '' })
  const { public: configuredPath } = resolved.paths
  const mountState = { isElsewhere: false, isReliedOn: false, warned: new Set<WarningCode>() }
  if (configuredPath !== '' || config.basePath !== undefined)
    return { resolved, configuredPath, mountState }
  const assumed = atPaths(resolved, { route: ASSUMED_PATH, public: ASSUMED_PATH })
  return { resolved: assumed, configuredPath, mountState }
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
export function noteMount(application: Application, paths: ChosenPaths): void {
  const { mountState, configuredPath } = application
  if (configuredPath === '') mountState.isElsewhere = paths.route.toLowerCase() !== ASSUMED_PATH
  if (paths.mismatch || (mountState.isElsewhere && mountState.isReliedOn)) noteMismatch(application)
}

/** Notes that requests for endpoints arrive at another path than the configured one. */
export function noteMismatch(application: Application): void {
  warnOnce(application, 'mount-basepath-mismatch')
}

/** Takes note that visitors are led to the endpoints by a function that cannot see their mount. */
export function relyOnPath(application: Application, config: object): void {
  application.mountState.isReliedOn = true
  if (application.mountState.isElsewhere) noteMismatch(application)
  // In production another application may well sign people in.
  if (!served.has(config) && !isProduction()) warnOnce(application, 'endpoints-not-mounted')
}

/** Takes note of a request that may have come over HTTPS, though Express does not say so. */
export function warnOfUntrustedProxy(application: Application): void {
  if (application.resolved.origin === undefined) warnOnce(application, 'untrusted-proxy')
}

/** Whether the application is for the public. */
export function isProduction(): boolean {
  return modeOf(processEnv()) === 'production'
}

function warnOnce({ mountState, resolved }: Application, code: WarningCode): void {
  if (mountState.warned.has(code)) return
  mountState.warned.add(code)
  resolved.logger.warn(code)
}
