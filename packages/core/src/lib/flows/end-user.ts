import { UnsupportedStrategy } from '../base/errors.ts'
import type { ResolvedConfig } from '../config/resolved.ts'

/** Signs a user out everywhere. */
export async function endUser(config: ResolvedConfig, userId: string): Promise<void> {
  if (typeof userId !== 'string' || userId === '') {
    throw new TypeError('endUser needs the id of a user, which is a text that is not empty.')
  }
  if (!config.endUser) {
    throw new UnsupportedStrategy(
      config.strategy === 'jwt'
        ? 'Sessions in cookies cannot be ended without a log of what was ended: use an adapter that has one, or set session.revocation.log.'
        : 'The adapter has no deleteSessions, so the sessions of a user cannot be ended.',
    )
  }
  await config.endUser(userId)
}
