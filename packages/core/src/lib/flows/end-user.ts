import type { ResolvedConfig } from '../config/resolved.ts'
import { UnsupportedStrategy } from '../errors.ts'

/** Signs a user out everywhere. */
export async function endUser(config: ResolvedConfig, userId: string): Promise<void> {
  if (typeof userId !== 'string' || userId === '') {
    throw new TypeError('endUser needs the id of a user, a non-empty string.')
  }
  if (!config.endUser) {
    throw new UnsupportedStrategy(
      config.strategy === 'jwt'
        ? 'Sessions in cookies cannot be ended without a log of ended sessions: use an adapter that has one, or set session.revocation.log.'
        : "The adapter has no deleteSessions, so a user's sessions cannot be ended.",
    )
  }
  await config.endUser(userId)
}
