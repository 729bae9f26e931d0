import type { AuthConfig } from '@siteauth/core'
import { resolveConfig } from '@siteauth/core/endpoints'
import { isSettled } from './resolutions.ts'

/**
 * Logs what is wrong with a configuration while the server starts, rather than when somebody first visits
 * it. Only after the modules are loaded, since one of them may read a file of variables; and nothing of it is
 * kept, since the application may still be putting things together.
 */
export function reportFaultsSoon(config: object): void {
  setImmediate(() => {
    if (!isSettled(config)) reportFaults(config as AuthConfig) // the exported functions take nothing else
  }).unref()
}

function reportFaults(config: AuthConfig): void {
  const { logger } = config
  const quiet = {
    // Called on the logger, because applications write methods.
    ...(logger?.error && { error: (error: Error) => logger.error?.(error) }),
    // Warnings come when the configuration is first used, once.
    warn() {},
    debug() {},
  }
  try {
    const { frame, faults } = resolveConfig({ ...config, logger: quiet }, { defaultBasePath: '' })
    for (const fault of faults) frame.logger.error(fault)
  } catch {
    // No configuration at all: the first request says so, to whoever sent it.
  }
}
