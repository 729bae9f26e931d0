import type { TrackedSession } from '../../base/stores.ts'
import { marksIn } from '../listed-name.ts'
import type { LazyEndings, UserRevocation } from '../revocation.ts'
import type { LazyTracker } from '../session-tracker.ts'
import { MOST_ENDED } from './jwt-list.ts'

/**
 * Ends all sessions in cookies of a user, and takes them off the list. Returns when that was, by the clock of the store.
 * Throws if the log does not accept it.
 */
export async function endAllCookies(
  endings: LazyEndings,
  openTracker: LazyTracker | null,
  userId: string,
  how: UserRevocation,
): Promise<number> {
  const tracker = await openTracker?.()
  // Those that are listed before have ended afterwards. One that begins meanwhile may live, and must stay.
  const listed = (await tracker?.list(userId, MOST_ENDED).catch(() => [])) ?? []
  const ends = await endings.open()
  const endedAt = await ends.endUser(userId, how)
  // Others of that id may have a session in the list, too.
  const isEnded = ({ id }: TrackedSession) => how.isShared || marksIn(id).tag === ends.tag
  await tracker?.ended(...listed.filter(isEnded))
  return endedAt
}
