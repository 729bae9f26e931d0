import type { LazyEndings } from '../revocation.ts'
import type { LazyTracker } from '../session-tracker.ts'
import { MOST_ENDED } from './jwt-list.ts'

/** Ends all sessions in cookies of a user, and takes them off the list. Throws if the log does not accept it. */
export async function endAllCookies(
  endings: LazyEndings,
  openTracker: LazyTracker | null,
  userId: string,
): Promise<void> {
  const tracker = await openTracker?.()
  // Those that are listed before have ended afterwards. One that begins meanwhile may live, and must stay.
  const listed = (await tracker?.list(userId, MOST_ENDED).catch(() => [])) ?? []
  await (await endings.open()).endUser(userId)
  await tracker?.ended(...listed)
}
