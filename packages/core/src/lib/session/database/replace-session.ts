import type { AdapterSession } from '../../base/adapter.ts'
import { replacedName } from '../session-name.ts'
import { GRACE } from '../store.ts'
import type { DatabaseContext } from './database-context.ts'
import { deleteRow } from './delete-row.ts'
import type { FoundRow } from './find-session.ts'

/**
 * Replaces a session, by another or by nothing, and leaves it to requests in progress for a moment. False
 * if it was ended or replaced meanwhile.
 *
 * A sign-out deletes the row, and looks for a replacement afterwards. Rows that are added here before the
 * second look at the row are therefore found by it; if the row is gone by then, they are withdrawn.
 */
export async function replaceSession(
  context: DatabaseContext,
  token: string,
  { end, session: { userId } }: Pick<FoundRow, 'end' | 'session'>,
  successor: string,
  next?: AdapterSession,
): Promise<boolean> {
  const { rows, now, returnsDeleted, secrets } = context
  const sessionToken = await replacedName(successor, secrets[0])
  // The name differs, so that a renewal in progress finds nothing to extend.
  const grace = { sessionToken, userId, expires: new Date(Math.min(now() + GRACE, end)) }
  if (!(await createUnlessValid(context, grace))) return false
  try {
    // An existing row was left by a server that stopped midway. No browser has its token.
    if (next) await createUnlessValid(context, next)
  } catch (error) {
    await deleteRow(rows, sessionToken)
    throw error
  }
  const exists = (await rows.getSessionAndUser(token)) !== null
  const deleted = exists && (await deleteRow(rows, token))
  if (exists && (deleted || !returnsDeleted)) return true
  await deleteRow(rows, sessionToken)
  if (next) await deleteRow(rows, next.sessionToken)
  return false
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
