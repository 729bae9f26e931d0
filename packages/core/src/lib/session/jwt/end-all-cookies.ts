import type { LazyEndings } from '../revocation.ts'
import type { LazyTracker } from '../session-tracker.ts'
import { MOST_ENDED } from './jwt-list.ts'

/**
 * Ends all sessions in cookies of a user, and takes them off the list. Returns when that was, by the clock of the store.
 * Throws if the log does not accept it.
 *
 * @param at the earliest time that it may have been; the present one if it is left out
 */
export async function endAllCookies(
  endings: LazyEndings,
  openTracker: LazyTracker | null,
  userId: string,
  at?: number,
): Promise<number> {
  const tracker = await openTracker?.()
  // Those that are listed before have ended afterwards. One that begins meanwhile may live, and must stay.
  const listed = (await tracker?.list(userId, MOST_ENDED).catch(() => [])) ?? []
  const endedAt = await (await endings.open()).endUser(userId, at)
  await tracker?.ended(...listed)
  return endedAt
}
