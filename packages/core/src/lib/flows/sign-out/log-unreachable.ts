import type { AuthError } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'

/** In milliseconds. */
const MINUTE = 60_000

/**
 * Tells the log that a provider could not be asked, once a minute: strangers may have it asked, and must not
 * fill the log while it is down.
 */
export function reportUnreachable(
  { logger, ports, runtime }: Pick<ResolvedConfig, 'logger' | 'ports' | 'runtime'>,
  { id }: Pick<ResolvedOAuthProvider, 'id'>,
  error: AuthError,
): void {
  const now = ports.now()
  const before = runtime.unreachableLoggedAt.get(id)
  if (before !== undefined && now >= before && now - before < MINUTE) return
  runtime.unreachableLoggedAt.set(id, now)
  logger.error(error)
}
