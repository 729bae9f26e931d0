import type { AdapterSession } from '../../base/adapter.ts'
import { isSuccessor, replacedName } from '../session-name.ts'
import type { DatabaseContext } from './database-context.ts'
import { deleteExistingRows, deleteRow } from './delete-row.ts'
import { findReplacedSession } from './find-session.ts'

/** Ends a session, with the tokens before and after this one. */
export async function endSession(
  context: DatabaseContext,
  token: string,
): Promise<AdapterSession | null | undefined> {
  const { rows, returnsDeleted } = context
  const session = await deleteRow(rows, token)
  if (isSuccessor(token)) {
    await deleteExistingRows(rows, token)
    await endPredecessor(context, token)
  }
  // A request that is replacing a row deleted here learns that from the adapter, and withdraws.
  if (!session || !returnsDeleted) await endSuccessor(context, token)
  return session
}

/** Ends the chain of tokens that followed a session which was replaced a moment ago. */
async function endSuccessor(context: DatabaseContext, token: string): Promise<void> {
  const replaced = await findReplacedSession(context, token)
  if (!replaced) return
  await deleteExistingRows(context.rows, replaced.session.sessionToken)
  await deleteExistingRows(context.rows, replaced.successor)
  await endSuccessor(context, replaced.successor)
}

/**
 * Ends the token that this one has replaced, which could be read for a moment longer.
 *
 * @param name a token, or its name in the store
 */
export async function endPredecessor(
  { rows, secrets }: DatabaseContext,
  name: string,
): Promise<void> {
  for (const secret of secrets) await deleteExistingRows(rows, await replacedName(name, secret))
}
