import type { AdapterSession } from '../../base/adapter.ts'
import type { SessionLimits } from '../lifetime.ts'
import type { IssuedSession } from '../store.ts'

/** The cookie of a row. */
export function toIssuedSession(
  { sessionToken, expires }: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  { tmp }: SessionLimits,
): IssuedSession {
  return { token: sessionToken, expires, ...(tmp && { isTemporary: true }) }
}
