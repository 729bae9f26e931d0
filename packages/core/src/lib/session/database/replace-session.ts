import type { AdapterSession } from '../../base/adapter.ts'
import { GRACE } from '../store.ts'
import type { DatabaseContext } from './database-context.ts'
import { deleteRow } from './delete-row.ts'
import { endToken } from './end-session.ts'
import type { FoundRow } from './find-session.ts'
import { replacedName } from './row-name.ts'
import type { SessionMethods } from './session-methods.ts'

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
  const left = await addReplaced(context, token, grace)
  if (left === null) return { isReplaced: false }
  const added: Added = left === 'created' ? { grace, next: next?.sessionToken } : {}
  try {
    // An existing row was left by a server that stopped midway, or another rotation has just added it.
    if (next && (await createUnlessValid(context, next))) added.next = next.sessionToken
    if ((await rows.getSessionAndUser(token)) === null) {
      await withdraw(context, added)
      return { isReplaced: false }
    }
  } catch (error) {
    await withdraw(context, added).catch(() => {})
    throw error
  }
  return deleteReplaced(rows, token)
}

/**
 * Deletes the row that was replaced. A deletion that fails may have been carried out, or will be: the browser needs the
 * next token from here on.
 */
async function deleteReplaced(rows: SessionMethods, token: string): Promise<Replacement> {
  try {
    // Whether this call deleted the row is not asked: a driver may have sent it twice.
    await deleteRow(rows, token).catch(() => deleteRow(rows, token))
    return { isReplaced: true }
  } catch (failure) {
    return { isReplaced: true, failure }
  }
}

/** What a rotation has added, or must take for its own: without the row of the replaced session, nobody else keeps the next. */
interface Added {
  grace?: AdapterSession
  next?: string | undefined
}

/**
 * Withdraws what a rotation has added, and the tokens that have followed: another rotation may have found the row of the
 * next token, and given that to a browser that has rotated it again.
 */
async function withdraw(context: DatabaseContext, { grace, next }: Added): Promise<void> {
  const { rows } = context
  if (grace && (await isTakenOver(rows, grace))) return
  const twice = (act: () => Promise<unknown>) => act().catch(act)
  if (next !== undefined) await twice(() => endToken(context, next))
  if (grace) await twice(() => deleteRow(rows, grace.sessionToken))
}

/**
 * Whether another server has taken the row that is left of a session for over, after a while or by its clock, and has
 * replaced the session in the meantime: the browser has what was added here.
 */
async function isTakenOver(
  rows: SessionMethods,
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
): Promise<boolean> {
  const found = await rows.getSessionAndUser(sessionToken)
  // Another one that was added since, after the session had ended, expires sooner. Some stores keep whole seconds.
  return found !== null && found.session.expires.getTime() >= expires.getTime() + GRACE - 2000
}

/**
 * Adds the row that is left of a session, or takes over one that is over and was left by a server that stopped midway.
 * Null if another rotation is in progress, or has replaced the session.
 */
async function addReplaced(
  context: DatabaseContext,
  token: string,
  grace: AdapterSession,
  tries = 3,
): Promise<'created' | 'taken' | null> {
  const { rows, now } = context
  const { sessionToken, expires } = grace
  const find = () => rows.getSessionAndUser(sessionToken)
  try {
    await rows.createSession(grace)
    return 'created'
  } catch (error) {
    const found = await find()
    if (found && found.session.expires.getTime() > now()) return null
    if (found) {
      if ((await rows.getSessionAndUser(token)) === null) return null
      // It is never away for a moment: whatever ends the session looks for it. Some stores throw if there is none.
      const take = async () => rows.updateSession({ sessionToken, expires })
      await take().catch(() => {})
      const taken = await find()
      if (taken && taken.session.expires.getTime() > now()) return 'taken'
    }
    if (tries === 1) throw error
    return addReplaced(context, token, grace, tries - 1)
  }
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
