import type { TrackedSession } from '../../base/stores.ts'
import { keysIn } from '../listed-name.ts'
import type { LazyRevocations, UserRevocation } from '../revocation.ts'
import type { LazyTracker } from '../session-tracker.ts'
import { MAX_ENDED } from './jwt-list.ts'

/**
 * Ends all sessions in cookies of a user, and takes them off the list. Returns when that was, by the clock of the store.
 * Throws if the log does not accept it.
 */
export async function endAllCookies(
  revocations: LazyRevocations,
  openTracker: LazyTracker | null,
  userId: string,
  revocation: UserRevocation,
): Promise<number> {
  const tracker = await openTracker?.()
  // Those that are listed before have ended afterwards. One that begins meanwhile may live, and must stay.
  const listed = (await tracker?.list(userId, MAX_ENDED).catch(() => [])) ?? []
  const view = await revocations.open()
  const endedAt = await view.revokeUser(userId, revocation)
  // Others of that id may have a session in the list, too.
  const isEnded = ({ id }: TrackedSession) => revocation.isShared || keysIn(id).tag === view.tag
  const ended = listed.filter(isEnded).map(({ id }) => id)
  await tracker?.ended(userId, ended)
  return endedAt
}
