import type { AdapterSession } from '../../base/adapter.ts'
import type { SessionDetails } from '../../base/session.ts'
import type { StoredSession } from '../session-list.ts'
import type { DatabaseContext } from './database-context.ts'
import { endStored } from './end-session.ts'
import { isReplacedName, isStoredName, replacedName } from './row-name.ts'
import type { SessionMethods } from './session-methods.ts'

/** More often than a session can be rotated meanwhile. */
const MAX_ROUNDS = 10

/**
 * Ends a session by its name in the list, with what rotations have made of it since it was listed.
 *
 * @param list the rows of a user
 */
export async function endListed(
  context: DatabaseContext,
  list: NonNullable<SessionMethods['listSessions']>,
  userId: string,
  session: StoredSession,
): Promise<void> {
  const { id } = session
  // A token tells its successors, and so does a hash, unless the session has limits, which it does not tell.
  const before = isStoredName(id) ? await list(userId) : null
  await endStored(context, id)
  if (!before) return
  const earlier = new Set(before.map(({ sessionToken }) => sessionToken))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const isEnded = await endFollowing(context, await list(userId), session, earlier)
    if (!isEnded) return
  }
}

/**
 * Ends the rows that have followed a session. False if none has.
 *
 * @param earlier the names that were listed before it ended
 */
async function endFollowing(
  context: DatabaseContext,
  rows: readonly AdapterSession[],
  session: StoredSession,
  earlier: ReadonlySet<string>,
): Promise<boolean> {
  const names = new Set([...earlier, ...rows.map(({ sessionToken }) => sessionToken)])
  let isEnded = false
  for (const row of rows) {
    const { sessionToken, createdAt } = row
    if (isReplacedName(sessionToken) || !isSameBrowser(row, session)) continue
    // Without its beginning, one that was there before may as well be another that was rotated.
    const canFollow =
      !earlier.has(sessionToken) || (createdAt && (await isRotated(context, sessionToken, names)))
    if (!canFollow) continue
    isEnded = true
    await endStored(context, sessionToken)
  }
  return isEnded
}

/** Whether a rotation has added a row, perhaps before the list was read: it leaves the replaced session beside it for a moment. */
async function isRotated(
  { secrets }: DatabaseContext,
  sessionToken: string,
  names: ReadonlySet<string>,
): Promise<boolean> {
  for (const secret of secrets) {
    if (names.has(await replacedName(sessionToken, secret))) return true
  }
  return false
}

/** Whether one row has followed the other: rotation copies what is known of the browser. */
function isSameBrowser(one: SessionDetails, other: SessionDetails): boolean {
  return (
    one.createdAt?.getTime() === other.createdAt?.getTime() &&
    one.userAgent === other.userAgent &&
    one.label === other.label &&
    one.provider === other.provider
  )
}
