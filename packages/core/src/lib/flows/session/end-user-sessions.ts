import { UnsupportedStrategy } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'

/**
 * Ends all sessions of a user, and sign-ins in progress.
 *
 * @param call the name of the call, for errors
 */
export async function endUser(
  config: ResolvedConfig,
  userId: string,
  call = 'users.endSessions',
): Promise<void> {
  if (typeof userId !== 'string' || userId === '') {
    throw new TypeError(`${call} needs the id of a user, a non-empty string.`)
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
