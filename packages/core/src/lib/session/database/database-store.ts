import { nextExpiry } from '../lifetime.ts'
import { parseSessionLimits } from '../session-name.ts'
import type {
  IdentifiedSession,
  NewSession,
  NoSession,
  ProvenIdentity,
  ReadOptions,
  RotatedSession,
  SessionStore,
} from '../store.ts'
import { allColumns } from './all-columns.ts'
import {
  createDatabaseContext,
  type DatabaseContext,
  type DatabaseStoreDependencies,
  seenAt,
} from './database-context.ts'
import { createDatabaseList, toStoredSession } from './database-list.ts'
import { deleteRow } from './delete-row.ts'
import { draftSession } from './draft-session.ts'
import { endSession, endUnfinishedSuccessors } from './end-session.ts'
import {
  type FoundRow,
  findReplacedSession,
  findSession,
  findStoredName,
  findValidSession,
  limitedEnd,
  storedSuccessors,
} from './find-session.ts'
import { toIssuedSession } from './issued-session.ts'
import { readSession, toActiveSession } from './read-session.ts'
import { isRenewable, renewalAt } from './renewal-times.ts'
import { replaceSession } from './replace-session.ts'
import { isStoredName, successorOf } from './row-name.ts'

/** Sessions that are rows of a database. The cookie has only the name of the row. */
export function createDatabaseStore(dependencies: DatabaseStoreDependencies): SessionStore {
  const context = createDatabaseContext(dependencies)
  return {
    remembers: false,
    needsStoredUser: true,
    draft: ({ limits, details } = {}) => draftSession(context, limits, details),
    issue: identity => issueSession(context, identity),
    read: (token, options) => readSession(context, token, options),
    update: (token, changes) => readSession(context, token, { canRenew: true }, { changes }),
    identify: (token, options) => identifyRow(context, token, options),
    // A renewed row keeps its name.
    sessionIdOf: token => token,
    userIdOf: token => findUserId(context, token),
    revoke: async token => ({
      session: isStoredName(token) ? null : await endSession(context, token),
    }),
    endReplaced: token => endReplacedSession(context, token),
    rotate: token => rotateSession(context, token),
    getLimits: async token => parseSessionLimits(token),
    own: createDatabaseList(context),
  }
}

/** A session that was replaced a moment ago can be read, so that its cookie has an owner, too. */
async function findUserId(context: DatabaseContext, token: string): Promise<string | null> {
  const found =
    (await findValidSession(context, token)) ?? (await findReplacedSession(context, token))
  return found?.user.id ?? null
}

async function issueSession(
  context: DatabaseContext,
  { user, session, draft, limits, details }: ProvenIdentity,
): Promise<NewSession> {
  const row = draft ?? draftSession(context, limits, details)
  const stored = session ?? (await context.rows.createSession({ ...row, userId: user.id ?? '' }))
  return {
    ...toIssuedSession(stored, parseSessionLimits(stored.sessionToken)),
    userId: stored.userId,
  }
}

async function endReplacedSession(context: DatabaseContext, token: string): Promise<void> {
  const found = await findSession(context, token)
  if (found && found.end > context.now()) {
    const successor = await successorOf(token, context.secrets[0])
    const { isReplaced, failure } = await replaceSession(context, token, found, successor)
    if (isReplaced) await endUnfinishedSuccessors(context, token)
    if (failure !== undefined) throw failure
    if (isReplaced) return
  }
  // A session that was replaced before ends with its successors.
  if (!isStoredName(token)) await endSession(context, token)
}

async function rotateSession(
  context: DatabaseContext,
  token: string,
): Promise<RotatedSession | null> {
  const found = await findValidSession(context, token)
  if (!found) return null
  const { rows, lifetime, secrets } = context
  const sessionToken = await successorOf(token, secrets[0])
  const time = context.now()
  const { stored, limits, session, user } = found
  const expires = isRenewable(lifetime, limits)
    ? new Date(nextExpiry(time, lifetime, limits))
    : stored
  const columns = await allColumns(rows, session, await findStoredName(context, token, user.id))
  const next = { ...columns, ...seenAt(context, time), sessionToken, expires }
  const { isReplaced, failure } = await replaceSession(context, token, found, sessionToken, next)
  if (!isReplaced) return null
  const issued = toIssuedSession({ ...next, expires: limitedEnd(lifetime, next, limits) }, limits)
  return { ...issued, failure }
}

/** Identifies the session of a token: see `SessionStore.identify`. No callback can end a session that is a row. */
async function identifyRow(
  context: DatabaseContext,
  token: string,
  _options: ReadOptions,
): Promise<IdentifiedSession | NoSession> {
  const found = await findSession(context, token)
  if (!found) return absenceOf(context, token)
  const time = context.now()
  if (found.end <= time) {
    // It is over only because sessions have become shorter since: longer ones must not bring it back.
    if (found.stored.getTime() > time) await deleteRow(context.rows, token)
    return { absence: 'expired' }
  }
  const shown = await shortenSession(context, token, found, time)
  if (!shown) return absenceOf(context, token)
  const { session, user, limits } = shown
  const status = { isRenewed: false, isCurrent: true }
  return {
    active: toActiveSession(context, token, shown, status, undefined),
    userId: user.id,
    limits,
    condition: { sessionToken: token },
    listed: async () => {
      const id = await findStoredName(context, token, user.id)
      const successors = await storedSuccessors(context, token)
      return { ...toStoredSession(session), id, userId: user.id, successors }
    },
  }
}

async function absenceOf(context: DatabaseContext, token: string): Promise<NoSession> {
  const isReplaced = await findReplacedSession(context, token)
  return { absence: isReplaced ? 'replaced' : 'unknown' }
}

/** The session with a row that is shortened if sessions have become shorter since. Null if it has ended meanwhile. */
async function shortenSession(
  context: DatabaseContext,
  sessionToken: string,
  found: FoundRow,
  time: number,
): Promise<FoundRow | null> {
  const { expires, dueAfter } = renewalAt(time, context.lifetime, found.limits)
  if (found.end <= dueAfter.getTime()) return found
  const updated = await context.rows.updateSession({ sessionToken, expires })
  if (!updated && !(await findSession(context, sessionToken))) return null
  return { ...found, session: { ...found.session, expires }, end: expires.getTime() }
}
