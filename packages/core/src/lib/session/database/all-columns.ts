import type { AdapterSession } from '../../base/adapter.ts'
import type { SessionMethods } from './session-methods.ts'

/**
 * All that is stored of a session, for a copy of it. An adapter need not return that when a session is
 * checked, but does when sessions are listed.
 *
 * @param name what the store knows the session by
 */
export async function allColumns(
  { listSessions }: Pick<SessionMethods, 'listSessions'>,
  session: AdapterSession,
  name: string,
): Promise<AdapterSession> {
  const listed = await listSessions?.(session.userId)
  const row = { ...session, ...listed?.find(({ sessionToken }) => sessionToken === name) }
  const { id: _, ...columns } = row as AdapterSession & { readonly id?: unknown } // of an ORM
  return columns
}
