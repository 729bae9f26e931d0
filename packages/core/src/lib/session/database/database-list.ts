import type { AdapterSession } from '../../base/adapter.ts'
import { UnsupportedStrategy } from '../../base/errors.ts'
import type { SessionList, StoredSession } from '../session-list.ts'
import { isReplacedName } from '../session-name.ts'
import type { SessionRows } from './session-rows.ts'

/**
 * Lists sessions that are rows.
 *
 * @param endPredecessor ends the token before, which can be read for a moment
 */
export function createDatabaseList(
  rows: SessionRows,
  endPredecessor: (name: string) => Promise<void>,
): SessionList {
  async function rowsOf(userId: string, most?: number): Promise<readonly AdapterSession[]> {
    if (!rows.listSessions) {
      throw new UnsupportedStrategy(
        'The sessions of a user cannot be listed here: the adapter has no listSessions. Use one of ours, or add it.',
      )
    }
    return rows.listSessions(userId, most)
  }

  return {
    async list({ userId }, most) {
      const listed = await rowsOf(userId, most)
      return listed
        .filter(({ sessionToken }) => !isReplacedName(sessionToken))
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, most)
        .map(toStoredSession)
    },
    async end(_own, id) {
      await rows.deleteSession(id)
      await endPredecessor(id)
    },
    async endOthers({ userId, id }) {
      if (rows.deleteOtherSessions) {
        await rows.deleteOtherSessions({ userId, sessionToken: id })
        return
      }
      for (const { sessionToken } of await rowsOf(userId)) {
        if (sessionToken !== id) await rows.deleteSession(sessionToken)
      }
    },
  }
}

/** A row as it is listed. */
export function toStoredSession({
  sessionToken,
  userId: _,
  expires: __,
  ...details
}: AdapterSession): StoredSession {
  return { ...details, id: sessionToken }
}
