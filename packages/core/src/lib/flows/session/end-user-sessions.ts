import { UnsupportedStrategy } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'

/** Signs a user out everywhere. */
export async function endUser(config: ResolvedConfig, userId: string): Promise<void> {
  if (typeof userId !== 'string' || userId === '') {
    throw new TypeError('users.endSessions needs the id of a user, a non-empty string.')
  }
  if (!config.endUser) {
    throw new UnsupportedStrategy(
      'The sessions of a user cannot be ended here. Sessions in cookies need a log of what was ended: use ' +
        'an adapter that keeps one, or set session.revocation.log. Sessions in a database need an adapter ' +
        'with deleteSessions.',
    )
  }
  await config.endUser(userId)
}
