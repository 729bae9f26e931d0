import type { AdapterSession } from '../../base/adapter.ts'
import { isSameName } from '../session-name.ts'
import type { SessionMethods } from './session-methods.ts'

/**
 * Deletes a row that may not exist. Some stores throw if it does not; those that list sessions never do,
 * and return what they deleted.
 */
export async function deleteRow(
  rows: SessionMethods,
  name: string,
): Promise<AdapterSession | null | undefined> {
  if (rows.listSessions) return rows.deleteSession(name)
  try {
    return await rows.deleteSession(name)
  } catch (error) {
    if (await rows.getSessionAndUser(name)) throw error
    return null
  }
}

/** Deletes all rows of a name, and requests no deletion if there is none. */
export async function deleteExistingRows(rows: SessionMethods, name: string): Promise<void> {
  // If tokens need not be unique, two requests at once may have made two rows.
  for (let tries = 0; tries < 3; tries++) {
    const found = await rows.getSessionAndUser(name)
    if (!found) return
    const { sessionToken: stored = name } = found.session
    if (!isSameName(stored, name)) return
    await deleteRow(rows, name)
  }
}
