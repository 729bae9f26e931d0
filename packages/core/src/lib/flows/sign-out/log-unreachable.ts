import type { AuthError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'

/** In milliseconds. */
const MINUTE = 60_000

const reported = new WeakMap<ResolvedOAuthProvider['config'], number>()

/**
 * Tells the log that a provider could not be asked, once a minute: strangers may have it asked, and must not
 * fill the log while it is down.
 */
export function reportUnreachable(
  { logger, ports }: Pick<ResolvedConfig, 'logger' | 'ports'>,
  { config }: Pick<ResolvedOAuthProvider, 'config'>,
  error: AuthError,
): void {
  const now = ports.now()
  const before = reported.get(config)
  if (before !== undefined && now >= before && now - before < MINUTE) return
  reported.set(config, now)
  logger.error(error)
}
