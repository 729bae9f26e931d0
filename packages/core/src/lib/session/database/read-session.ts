import type { AdapterSession, AdapterUser } from '../../base/adapter.ts'
import type { SessionParams } from '../../base/callbacks.ts'
import type { Session } from '../../base/session.ts'
import { addExposed } from '../expose-columns.ts'
import { timeText } from '../iso-time.ts'
import type { SessionLimits } from '../lifetime.ts'
import { parseSessionLimits } from '../session-name.ts'
import type { ActiveSession, ReadOptions } from '../store.ts'
import { type DatabaseContext, seenAt } from './database-context.ts'
import { deleteRow } from './delete-row.ts'
import { applyLimits, findReplacedSession, findSession } from './find-session.ts'
import { toIssuedSession } from './issued-session.ts'
import { isDueAt, isRenewable, renewalAt } from './renewal-times.ts'
import { isStoredName } from './row-name.ts'

/** The changes that an application asks for. */
interface Update {
  readonly changes: unknown
}

/** The session of a token, extended if it is due; null if it is not valid. */
export async function readSession(
  context: DatabaseContext,
  sessionToken: string,
  { canRenew }: ReadOptions,
  update?: Update,
): Promise<ActiveSession | null> {
  if (isStoredName(sessionToken)) return null
  const { lifetime, rows } = context
  const time = context.now()
  const named = parseSessionLimits(sessionToken)
  // The latest end of an older session is known only once its row was read.
  const inOne =
    canRenew && isRenewable(lifetime, named)
      ? await rows.getAndRenewSession?.(sessionToken, renewalAt(time, lifetime, named))
      : undefined
  const read = inOne === undefined ? await rows.getSessionAndUser(sessionToken) : inOne
  const found = read && applyLimits(lifetime, read, sessionToken)
  if (!found) return readReplaced(context, sessionToken)
  const { end, limits } = found
  if (end <= time) {
    await deleteRow(rows, sessionToken)
    return null
  }
  if (inOne) {
    const { isRenewed } = inOne
    return toActiveSession(context, sessionToken, found, { isRenewed, isCurrent: true }, update)
  }
  const renewal = renewalAt(time, lifetime, limits)
  const isDue = isRenewable(lifetime, limits) && isDueAt(end, renewal)
  // Sessions have become shorter since. That counts at once, and needs no new cookie.
  const isTooLong = end > renewal.dueAfter.getTime()
  if (!isTooLong && !(isDue && canRenew)) {
    const status = { isRenewed: false, isCurrent: !isDue }
    return toActiveSession(context, sessionToken, found, status, update)
  }
  // Row and cookie are extended together, or not at all.
  const { expires } = renewal
  const seen = canRenew ? seenAt(context, time) : {}
  const updated = await rows.updateSession({ sessionToken, expires, ...seen })
  if (!updated && !(await findSession(context, sessionToken))) {
    return readReplaced(context, sessionToken)
  }
  const session = { ...found.session, expires }
  const status = { isRenewed: canRenew, isCurrent: true }
  return toActiveSession(context, sessionToken, { ...found, session }, status, update)
}

async function readReplaced(
  context: DatabaseContext,
  token: string,
): Promise<ActiveSession | null> {
  const found = await findReplacedSession(context, token)
  const status = { isRenewed: false, isCurrent: true }
  return found && toActiveSession(context, token, { limits: {}, ...found }, status, undefined)
}

/** The rows of a session, and the limits that were settled at its start. */
interface LimitedRow {
  readonly session: AdapterSession
  readonly user: AdapterUser
  readonly limits: SessionLimits
}

/** A session as it is read from its rows. */
export function toActiveSession(
  context: DatabaseContext,
  sessionToken: string,
  { session, user, limits }: LimitedRow,
  { isRenewed, isCurrent }: { readonly isRenewed: boolean; readonly isCurrent: boolean },
  update: Update | undefined,
): ActiveSession {
  const { expires } = session
  return {
    session: toSession(user, expires, context.expose),
    params: context.isWatched ? toParams(context, session, user, update) : null,
    token: undefined,
    renewal: isRenewed ? toIssuedSession({ sessionToken, expires }, limits) : null,
    isCurrent,
  }
}

/** The arguments of the callback: it can read all of both rows, but returns only what it names. */
function toParams(
  { hideUserColumns, hideSessionColumns }: DatabaseContext,
  session: AdapterSession,
  row: AdapterUser,
  update: Update | undefined,
): SessionParams {
  const user = hideUserColumns(row)
  const params = {
    session: hideSessionColumns({ ...session, user }),
    user,
    newSession: update?.changes,
    ...(update && { trigger: 'update' }),
  }
  // The documented type joins what the two strategies give; each gives its own half.
  return params as unknown as SessionParams
}

function toSession(
  row: AdapterUser,
  expires: Date,
  expose: readonly string[] | undefined,
): Session {
  const { name, email, image } = row
  // Members that are undefined vanish on the way to the browser.
  const user = { name, email, image } as NonNullable<Session['user']>
  if (expose) addExposed(user, expose, row)
  return { user, expires: timeText(expires.getTime()) }
}
