import type { AdapterSession } from '../../base/adapter.ts'
import { GRACE } from '../store.ts'
import type { DatabaseContext } from './database-context.ts'
import { deleteRow } from './delete-row.ts'
import type { FoundRow } from './find-session.ts'
import { replacedName } from './row-name.ts'
import type { SessionRows } from './session-rows.ts'

/** The result of replacing a session. */
export interface Replacement {
  /** False if it was ended or replaced meanwhile. */
  readonly isReplaced: boolean
  /** Why it is unknown whether the row is gone. The one that follows is there. */
  readonly failure?: unknown
}

/**
 * Replaces a session, by another or by nothing, and leaves it to requests in progress for a moment. Throws only if the
 * session goes on.
 *
 * Whatever ends a session deletes the row, and looks for a replacement afterwards. Rows that are added here before the
 * second look at the row are therefore found by it; if the row is gone by then, they are withdrawn.
 */
export async function replaceSession(
  context: DatabaseContext,
  token: string,
  { end, session: { userId } }: Pick<FoundRow, 'end' | 'session'>,
  successor: string,
  next?: AdapterSession,
): Promise<Replacement> {
  const { rows, now, secrets } = context
  const sessionToken = await replacedName(successor, secrets[0])
  // The name differs, so that a renewal in progress finds nothing to extend.
  const grace = { sessionToken, userId, expires: new Date(Math.min(now() + GRACE, end)) }
  if (!(await createUnlessValid(context, grace))) return { isReplaced: false }
  const added = next ? [sessionToken, next.sessionToken] : [sessionToken]
  try {
    // An existing row was left by a server that stopped midway. No browser has its token.
    if (next) await createUnlessValid(context, next)
    if ((await rows.getSessionAndUser(token)) === null) {
      if (await isOwn(rows, grace)) await withdraw(rows, added)
      return { isReplaced: false }
    }
  } catch (error) {
    await withdraw(rows, added).catch(() => {})
    throw error
  }
  return deleteReplaced(rows, token)
}

/**
 * Deletes the row that was replaced. A deletion that fails may have been carried out, or will be: the browser needs the
 * next token from here on.
 */
async function deleteReplaced(rows: SessionRows, token: string): Promise<Replacement> {
  try {
    // Whether this call deleted the row is not asked: a driver may have sent it twice.
    await deleteRow(rows, token).catch(() => deleteRow(rows, token))
    return { isReplaced: true }
  } catch (failure) {
    return { isReplaced: true, failure }
  }
}

/**
 * Whether the row that is left of a session is the one that was added here. Another server may have taken it for over,
 * after a while or by its clock, and have replaced the session in the meantime: the browser has what it added.
 */
async function isOwn(
  rows: SessionRows,
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
): Promise<boolean> {
  const found = await rows.getSessionAndUser(sessionToken)
  // Some stores keep whole seconds.
  return !found || Math.abs(found.session.expires.getTime() - expires.getTime()) < 2000
}

async function withdraw(rows: SessionRows, names: readonly string[]): Promise<void> {
  for (const name of names) await deleteRow(rows, name).catch(() => deleteRow(rows, name))
}

/** False if a valid row has that name. An expired one was left by a server that stopped midway. */
async function createUnlessValid(
  context: DatabaseContext,
  row: AdapterSession,
  tries = 3,
): Promise<boolean> {
  const { rows, now } = context
  try {
    await rows.createSession(row)
    return true
  } catch (error) {
    const found = await rows.getSessionAndUser(row.sessionToken)
    if (found && found.session.expires.getTime() > now()) return false
    if (tries === 1) throw error
    // The row that was in the way is gone by now, or is deleted here.
    if (found) await deleteRow(rows, row.sessionToken)
    return createUnlessValid(context, row, tries - 1)
  }
}
