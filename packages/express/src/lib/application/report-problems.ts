import type { AuthConfig } from '@siteauth/core'
import { resolveConfig } from '@siteauth/core/internal/config'
import { isInUse } from './applications.ts'

/**
 * Logs what is wrong with a configuration while the server starts, rather than when someone first visits it. Only
 * after the modules are loaded, since one of them may read a file of variables; and nothing is cached, since the
 * application may still be changing the configuration.
 */
export function reportProblemsSoon(config: object): void {
  setImmediate(() => {
    if (isInUse(config)) return
    try {
      logProblems(config as AuthConfig) // the exported functions take nothing else
    } catch {
      // Nobody could catch it here. The first request runs into the same, and can say so.
    }
  }).unref()
}

function logProblems(config: AuthConfig): void {
  const { logger } = config
  const quiet = {
    // Called on the logger, because applications write methods.
    ...(logger?.error && { error: (error: Error) => logger.error?.(error) }),
    // Warnings come when the configuration is first used, once.
    warn() {},
    debug() {},
  }
  const resolved = resolveConfig({ ...config, logger: quiet }, { defaultBasePath: '' })
  for (const problem of resolved.problems ?? []) resolved.logger.error(problem)
}
