import type { AdapterSession } from '../../base/adapter.ts'
import { UnsupportedStrategy } from '../../base/errors.ts'
import type { OwnSession, SessionList, StoredSession } from '../session-list.ts'
import type { DatabaseContext } from './database-context.ts'
import { endListed } from './end-listed.ts'
import { endStored } from './end-session.ts'
import { isReplacedName } from './row-name.ts'
import type { SessionMethods } from './session-methods.ts'

/** Lists sessions that are rows. */
export function createDatabaseList(context: DatabaseContext): SessionList {
  const { rows } = context
  return {
    async list({ userId }, limit) {
      const listed = await requireList(rows)(userId, limit)
      return listed
        .filter(({ sessionToken }) => !isReplacedName(sessionToken))
        .sort((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
        .map(toStoredSession)
    },
    end: ({ userId }, session) => endListed(context, requireList(rows), userId, session),
    async endSeveral(_, sessions) {
      for (const { id } of sessions) await endStored(context, id)
    },
    async endOthers(own) {
      const { userId, id, successors = [] } = own
      if (rows.deleteOtherSessions) {
        await rows.deleteOtherSessions({ userId, sessionToken: id, successors })
      } else await deleteOthers(rows, own)
    },
  }
}

function requireList({
  listSessions,
}: SessionMethods): NonNullable<SessionMethods['listSessions']> {
  if (listSessions) return listSessions
  throw new UnsupportedStrategy(
    'The sessions of a user cannot be listed here: the adapter has no listSessions. Use one of ours, or add it.',
  )
}

/** More often than a session can be rotated meanwhile. */
const MAX_ROUNDS = 10

/** Deletes all sessions but one, and those that have followed one of them meanwhile. */
async function deleteOthers(
  rows: SessionMethods,
  { userId, id, successors = [] }: OwnSession,
): Promise<void> {
  const excepted = new Set([id, ...successors])
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const listed = await requireList(rows)(userId)
    const others = listed.filter(({ sessionToken }) => !excepted.has(sessionToken))
    if (others.length === 0) return
    for (const { sessionToken } of others) await rows.deleteSession(sessionToken)
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
