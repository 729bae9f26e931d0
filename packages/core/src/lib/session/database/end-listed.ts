import type { AdapterSession } from '../../base/adapter.ts'
import type { DatabaseContext } from './database-context.ts'
import { endPredecessor, endSession } from './end-session.ts'
import { isStoredName } from './row-name.ts'
import type { SessionRows } from './session-rows.ts'

/**
 * Ends a session by its name in the list, with what a rotation has made of it since it was listed.
 *
 * @param list the rows of a user
 */
export async function endListed(
  context: DatabaseContext,
  list: NonNullable<SessionRows['listSessions']>,
  userId: string,
  id: string,
): Promise<void> {
  // A token tells its successors, and so does a hash, unless the session has terms, which it does not tell.
  const before = isStoredName(id) ? await list(userId) : []
  const deleted = await endSession(context, id)
  await endPredecessor(context, id)
  const ended = before.find(({ sessionToken }) => sessionToken === id)
  if (!ended) return
  const earlier = new Set(before.map(({ sessionToken }) => sessionToken))
  for (const row of await list(userId)) {
    // A rotation that deleted the row first had added the next one before it, perhaps before the list was read.
    const canFollow = !earlier.has(row.sessionToken) || (!deleted && ended.createdAt != null)
    if (canFollow && isSameBrowser(row, ended)) await endSession(context, row.sessionToken)
  }
}

/** Whether one row has followed the other: rotation copies what is known of the browser. */
function isSameBrowser(one: AdapterSession, other: AdapterSession): boolean {
  return (
    one.createdAt?.getTime() === other.createdAt?.getTime() &&
    one.userAgent === other.userAgent &&
    one.label === other.label &&
    one.provider === other.provider
  )
}
