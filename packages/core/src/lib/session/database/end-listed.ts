import type { AdapterSession } from '../../base/adapter.ts'
import type { DatabaseContext } from './database-context.ts'
import { endPredecessor, endSession } from './end-session.ts'
import { isStoredName, replacedName } from './row-name.ts'
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
  await endSession(context, id)
  await endPredecessor(context, id)
  const ended = before.find(({ sessionToken }) => sessionToken === id)
  if (!ended) return
  const earlier = new Set(before.map(({ sessionToken }) => sessionToken))
  const after = await list(userId)
  const names = new Set([...earlier, ...after.map(({ sessionToken }) => sessionToken)])
  for (const row of after) {
    if (!isSameBrowser(row, ended)) continue
    const canFollow = !earlier.has(row.sessionToken) || (await isRotated(context, row, names))
    if (!canFollow) continue
    await endSession(context, row.sessionToken)
    // Its name may be a hash, which does not tell that it has followed another.
    await endPredecessor(context, row.sessionToken)
  }
}

/** Whether a rotation has added a row, perhaps before the list was read: it leaves the replaced session beside it for a moment. */
async function isRotated(
  { secrets }: DatabaseContext,
  { sessionToken }: AdapterSession,
  names: ReadonlySet<string>,
): Promise<boolean> {
  for (const secret of secrets) {
    if (names.has(await replacedName(sessionToken, secret))) return true
  }
  return false
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
