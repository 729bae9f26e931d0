import type { AdapterSession, AdapterUser, SessionRenewal } from '@siteauth/core/adapters'
import type { SessionMethods } from '../adapter-methods.ts'
import type { Upkeep } from './expiry/upkeep.ts'
import type { SqlTables } from './open-tables.ts'
import { dateFrom, detailsFrom, unexpired } from './rows/row-values.ts'
import type { Row, Statement } from './statements/statement.ts'
import { keyValues } from './statements/statement-context.ts'
import { userFrom } from './users.ts'

export function sqlSessions(tables: SqlTables, upkeep: Upkeep): SessionMethods {
  const { run } = tables
  const statements = tables.statements.rows
  return {
    async createSession(session) {
      await tables.insert('sessions', session)
      await upkeep.afterAdding('sessions')
      return session
    },
    getSessionAndUser: sessionToken => getSessionAndUser(tables, sessionToken),
    getAndRenewSession: (sessionToken, renewal) => getAndRenew(tables, sessionToken, renewal),
    async updateSession({ sessionToken, ...changes }) {
      const row = await tables.update('sessions', [sessionToken], changes)
      return row && sessionFrom(row)
    },
    async deleteSession(sessionToken) {
      const row = await tables.take('sessions', [sessionToken])
      return row && sessionFrom(row)
    },
    async listSessions(userId, limit) {
      const key = await tables.userKey(userId)
      if (key === null) return []
      const { rows } = await run(statements.listOfUser('sessions', limit), [key])
      return unexpired(rows).map(sessionFrom)
    },
    deleteSessions: userId => deleteSessions(tables, userId, []),
    deleteOtherSessions: ({ userId, sessionToken, successors = [] }) =>
      deleteSessions(tables, userId, [sessionToken, ...successors]),
  }
}

/** More often than anybody can give a session a new token meanwhile. */
const MAX_ROUNDS = 10

/**
 * Deletes the sessions of a user until none is left but those that stay: a statement does not see the row that follows
 * one which is replaced while it runs. One of both rows is there at any time, so a reading statement that sees neither is
 * proof.
 */
async function deleteSessions(
  tables: SqlTables,
  userId: string,
  excluded: readonly string[],
): Promise<number> {
  const statements = tables.statements.rows
  const key = await tables.userKey(userId)
  if (key === null) return 0
  const statement =
    excluded.length === 0
      ? statements.removeOfUser('sessions')
      : statements.removeOthersOfUser('sessions', excluded.length)
  let deleted = 0
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { numAffectedRows } = await tables.run(statement, [key, ...excluded])
    deleted += Number(numAffectedRows ?? 0)
    const { rows } = await tables.run(statements.listOfUser('sessions', excluded.length + 1), [key])
    if (rows.every(({ sessionToken }) => excluded.includes(String(sessionToken)))) break
  }
  return deleted
}

interface FoundSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

async function getSessionAndUser(
  tables: SqlTables,
  sessionToken: string,
): Promise<FoundSession | null> {
  const read = await readSession(tables, sessionToken, tables.statements.sessions.read(), [
    sessionToken,
  ])
  return read ? read.found : null
}

async function getAndRenew(tables: SqlTables, sessionToken: string, renewal: SessionRenewal) {
  const { now, dueUntil, expires } = renewal
  const changes = { expires, lastSeenAt: now }
  // Only if sessions are renewed so often that it pays.
  const isWorthIt = expires.getTime() - dueUntil.getTime() < RARELY_MS
  return tables.dialect.hasWritingCte && isWorthIt
    ? renewAtOnce(tables, sessionToken, changes, renewal)
    : renewAfterwards(tables, sessionToken, changes, renewal)
}

// A statement that can write costs a third more, as measured, whether or not it writes.
const RARELY_MS = 60_000

/** Reads and renews a session with one statement. */
async function renewAtOnce(
  tables: SqlTables,
  sessionToken: string,
  changes: Partial<AdapterSession>,
  { now, dueUntil, dueAfter }: SessionRenewal,
) {
  const changed = await tables.encode('sessions', changes)
  const statement = tables.statements.sessions.readAndRenew([...changed.keys()])
  const values = [...changed.values(), sessionToken, now, dueUntil, dueAfter, sessionToken]
  const read = await readSession(tables, sessionToken, statement, values)
  return read && { ...read.found, isRenewed: read.isRenewed }
}

/** Reads a session, and renews it with a second statement if it is due. */
async function renewAfterwards(
  tables: SqlTables,
  sessionToken: string,
  changes: Partial<AdapterSession>,
  { now, dueUntil, dueAfter, expires }: SessionRenewal,
) {
  const found = await getSessionAndUser(tables, sessionToken)
  if (!found) return null
  const end = found.session.expires
  const isDue = end > now && (end <= dueUntil || end > dueAfter)
  if (!isDue) return { ...found, isRenewed: false }
  const changed = await tables.encode('sessions', changes)
  const statement = tables.statements.sessions.renew([...changed.keys()])
  const values = [...changed.values(), ...keyValues('sessions', [sessionToken])]
  const { numAffectedRows } = await tables.run(statement, values)
  if (numAffectedRows === 0n) return null // signed out meanwhile
  return { session: { ...found.session, expires }, user: found.user, isRenewed: true }
}

async function readSession(
  { dialect, run }: SqlTables,
  sessionToken: string,
  statement: Statement,
  values: readonly unknown[],
) {
  if (!dialect.takesNul && sessionToken.includes('\0')) return null
  const [row] = (await run(statement, values)).rows
  if (!row || row['session_token'] !== sessionToken) return null
  const { session_token, session_expires, renewed_expires, ...columns } = row
  const expires = dateFrom(renewed_expires ?? session_expires)
  if (!expires) throw new TypeError('the session has no expiry date')
  const user = userFrom(columns)
  const session = { sessionToken, userId: user.id, expires }
  return { found: { session, user }, isRenewed: renewed_expires !== null }
}

function sessionFrom(row: Row): AdapterSession {
  const expires = dateFrom(row['expires'])
  if (!expires) throw new TypeError('the session has no expiry date')
  const [sessionToken, userId] = [String(row['sessionToken']), String(row['userId'])]
  return { sessionToken, userId, expires, ...detailsFrom(row) }
}
