import type { Awaitable } from '../model.ts'
import { type Basis, type Platform, readBasis } from './basis.ts'
import type { AuthConfig } from './options.ts'
import type { Resolution, ResolvedConfig, SessionConfig } from './resolved.ts'

/** A configuration that sessions can be checked with at once, and all else when it is asked for. */
export interface Prepared {
  readonly basis: Basis
  /** All of the configuration, once it is completed and where it has no faults. */
  readonly config: ResolvedConfig | null
  /** Checks all of the configuration, and makes all of it ready. Done once, and loaded only then. */
  complete(): Promise<Resolution>
}

/** Takes a configuration. The application's object is only read, here and when it is completed. */
export function prepareConfig(options: AuthConfig, platform?: Platform): Prepared {
  const basis = readBasis(options, platform)
  let completed: Promise<Resolution> | undefined
  let config: ResolvedConfig | null = null
  return {
    basis,
    get config() {
      return config
    },
    complete() {
      completed ??= import('./resolve.ts').then(({ completeConfig }) => {
        const resolution = completeConfig(basis)
        config = resolution.config
        return resolution
      })
      return completed
    },
  }
}

/**
 * What sessions are checked with. Throws if they cannot be, because of how things are configured.
 */
export function sessionsOf(prepared: Prepared): Awaitable<SessionConfig> {
  return prepared.basis.sessions ?? prepared.config ?? demandConfig(prepared)
}

async function demandConfig({ complete }: Prepared): Promise<SessionConfig> {
  const resolution = await complete()
  return resolution.config ?? (await import('./usable.ts')).usable(resolution)
}
