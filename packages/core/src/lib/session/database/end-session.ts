import type { AdapterSession } from '../../base/adapter.ts'
import type { DatabaseContext } from './database-context.ts'
import { deleteExistingRows, deleteRow } from './delete-row.ts'
import { findReplacedRow } from './find-session.ts'
import { isSuccessor, replacedName, successorOf } from './row-name.ts'

/** Ends a session, with the tokens before and after this one. */
export async function endSession(
  context: DatabaseContext,
  token: string,
): Promise<AdapterSession | null | undefined> {
  const { rows } = context
  // First, so that a session goes on if this fails, and can be ended again: nothing else leads to the earlier token.
  if (isSuccessor(token)) await endPredecessor(context, token)
  const session = await deleteRow(rows, token)
  if (isSuccessor(token)) {
    await deleteExistingRows(rows, token)
    // A rotation in progress may have added it since.
    await endPredecessor(context, token)
  }
  // Also if the row was there: a request that is replacing it has added others before it looked at this one again.
  await endSuccessor(context, token, { isInProgress: Boolean(session) })
  return session
}

/**
 * Ends the chain of tokens that followed a session which was replaced a moment ago. The row that leads to them goes
 * last, so that it can be done again if it fails.
 *
 * @param isInProgress whether the row of the session existed, so that it is being replaced now, whatever the clock
 * states
 */
async function endSuccessor(
  context: DatabaseContext,
  token: string,
  { isInProgress }: { readonly isInProgress: boolean },
): Promise<void> {
  const replaced = await findReplacedRow(context, token)
  if (!replaced) return
  // An old token must not end the session for the owner of the new one, later than the clocks of servers differ.
  if (isInProgress || !replaced.isLongOver) {
    await deleteExistingRows(context.rows, replaced.successor)
    await endSuccessor(context, replaced.successor, { isInProgress })
  }
  // To a server whose clock is behind, it may not be over.
  await deleteExistingRows(context.rows, replaced.session.sessionToken)
}

/** Ends what a rotation has added that did not delete the session, and the chain that followed. */
export async function endUnfinishedSuccessors(
  context: DatabaseContext,
  token: string,
): Promise<void> {
  for (const secret of context.secrets) {
    await endToken(context, await successorOf(token, secret))
  }
}

/** Ends a token, whoever has added it, and the chain that followed. */
export async function endToken(context: DatabaseContext, token: string): Promise<void> {
  await deleteExistingRows(context.rows, token)
  await endSuccessor(context, token, { isInProgress: true })
}

/** Ends a session by its name in the store, which may be a hash that does not state that it has followed another. */
export async function endStored(context: DatabaseContext, name: string): Promise<void> {
  await endPredecessor(context, name)
  await endSession(context, name)
  await endPredecessor(context, name)
}

/**
 * Ends the token that this one has replaced, which could be read for a moment longer.
 *
 * @param name a token, or its name in the store
 */
async function endPredecessor({ rows, secrets }: DatabaseContext, name: string): Promise<void> {
  for (const secret of secrets) await deleteExistingRows(rows, await replacedName(name, secret))
}
