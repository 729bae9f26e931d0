import { UnsupportedStrategy } from '../base/errors.ts'
import type { AdapterSession } from '../base/model.ts'
import type { SessionList, StoredSession } from './session-list.ts'
import type { SessionRows } from './session-rows.ts'

/** Lists sessions that are rows. */
export function createDatabaseList(rows: SessionRows, now: () => number): SessionList {
  async function rowsOf(userId: string, most?: number): Promise<readonly AdapterSession[]> {
    if (!rows.listSessions) {
      throw new UnsupportedStrategy(
        'The sessions of a user cannot be listed here: the adapter has no listSessions. Use one of ours, or add it.',
      )
    }
    return rows.listSessions(userId, most)
  }

  return {
    async find(token) {
      const found = await rows.getSessionAndUser(token)
      if (!found || found.session.expires.getTime() <= now()) return null
      return { ...storedFrom(found.session), userId: found.user.id }
    },
    async list({ userId }, most) {
      const listed = await rowsOf(userId, most)
      return [...listed]
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, most)
        .map(storedFrom)
    },
    async end(_own, id) {
      await rows.deleteSession(id)
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

function storedFrom({
  sessionToken,
  userId: _,
  expires: __,
  ...details
}: AdapterSession): StoredSession {
  return { ...details, id: sessionToken }
}
