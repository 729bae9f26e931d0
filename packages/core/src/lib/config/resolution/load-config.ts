import type { Awaitable } from '../../base/awaitable.ts'
import { announce } from '../adapter-configs.ts'
import type { AuthConfig } from '../options.ts'
import type { InvalidConfig, ResolvedConfig, SessionConfig } from '../resolved-config.ts'
import { isEnoughForSessions, sessionConfig } from '../session-config.ts'
import { createReaders } from '../session-readers.ts'
import { type ConfigSources, type Platform, readSources } from '../sources.ts'

/** A configuration that sessions can be checked with at once, and all else when it is asked for. */
export interface ConfigLoader {
  readonly sources: ConfigSources
  /** Returns what session checks need. Throws if the configuration does not allow any. */
  sessions(): Awaitable<SessionConfig>
  /** Checks all of the configuration, and makes all of it ready. Done once, and loaded only then. */
  complete(): Promise<ResolvedConfig | InvalidConfig>
}

const resolving = () => import('./resolve-config.ts')

/** Takes a configuration. The application's object is only read, here and when it is completed. */
export function loadConfig(options: AuthConfig, platform?: Platform): ConfigLoader {
  const sources = readSources(options, platform)
  announce(sources)
  const readers = isEnoughForSessions(sources) ? createReaders(sources) : null
  let sessions: SessionConfig | null = readers && sessionConfig(sources, readers)
  let completed: Promise<ResolvedConfig | InvalidConfig> | undefined

  function complete(): Promise<ResolvedConfig | InvalidConfig> {
    completed ??= resolving().then(({ completeConfig }) => {
      const config = completeConfig(sources, readers)
      if (!config.problems) sessions ??= config
      return config
    })
    return completed
  }

  async function requireSessions(): Promise<SessionConfig> {
    const config = await complete()
    return (await resolving()).requireConfig(config)
  }

  return { sources, complete, sessions: () => sessions ?? requireSessions() }
}

/** A configuration that stays as it is when the application changes its own. */
export function copyOptions(options: AuthConfig): AuthConfig {
  const members = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? [...value] : isPlain(value) && name !== 'adapter' ? { ...value } : value,
  ])
  return Object.fromEntries(members) as AuthConfig // member by member the same
}

function isPlain(value: unknown): value is object {
  return Object(value) === value && Object.getPrototypeOf(value) === Object.prototype
}
